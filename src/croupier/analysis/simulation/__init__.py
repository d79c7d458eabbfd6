"""Sampling at any scale: rounds dealt by kernels from the same tables that the exact count uses."""
