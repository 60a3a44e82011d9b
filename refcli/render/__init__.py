"""Data to text: rulings, trails, summaries and problems."""
