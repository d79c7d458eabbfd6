"""Loops that must be quick, compiled by Numba: free functions over arrays that know no game and no money."""
