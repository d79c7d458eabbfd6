"""Proofs and papers from the books alone: verification, explanation, export, backup."""
