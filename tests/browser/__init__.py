"""The pages in a real browser. A package, so that its browser is closed before tests of another folder run."""
