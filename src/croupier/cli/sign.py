"""`croupier sign` and `croupier signed`: digital signatures of a report, beside its file, and their check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import print_json
from croupier.cli.options import AsJson, option

NOT_SIGNED = 1
"""Exit code where nobody has signed."""


@app.command()
def sign(
    file: Annotated[Path, typer.Argument(help="The report, as it was written: par.pdf.")],
    *,
    key: Annotated[Path, option("--key", "Your private key: croupier ledger key new FILE makes one.")],
    name: Annotated[str, option("--name", "Your name, as it stands on the report.")],
    role: Annotated[str, option("--as", "What you sign as: prepared, reviewed or approved.")],
) -> None:
    """Sign a report: the signature goes into a file beside it, FILE.signatures, and the report stays as it is."""
    from croupier.compliance.signature import beside
    from croupier.compliance.signature import sign as sign_file
    from croupier.ledger.checkpoint import read_private
    from croupier.ledger.clock import utc_now

    signature = sign_file(file, read_private(key), name=name, role=role.strip().lower(), at=utc_now())
    print(f"{file} (SHA-256 {signature.sha256}): {signature.words}, in {beside(file)}.")


@app.command()
def signed(
    file: Annotated[Path, typer.Argument(help="The report; its signatures are in FILE.signatures.")],
    *,
    key: Annotated[
        list[Path] | None, option("--key", "A public key that must be among the signers (repeatable).")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check who signed a report: exit code 1 where nobody did, and a file that was changed is refused."""
    from croupier.compliance.signature import signatures
    from croupier.errors import RecordError
    from croupier.ledger.checkpoint import fingerprint, read_public

    all_signatures = signatures(file)
    for path in key or ():
        public = read_public(path)
        if public not in {signature.key for signature in all_signatures}:
            raise RecordError(f"Nobody signed {str(file)!r} with the key {fingerprint(public)} of {str(path)!r}.")
    if as_json:
        print_json([signature._asdict() for signature in all_signatures])
    for signature in () if as_json else all_signatures:
        print(signature.words)
    if not all_signatures and not as_json:
        print(f"Nobody has signed {file}.")
    return 0 if all_signatures else NOT_SIGNED
