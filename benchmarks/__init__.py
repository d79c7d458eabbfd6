"""How fast Croupier is, beside a yardstick measured in the same run: `python -m benchmarks [name...]`."""
