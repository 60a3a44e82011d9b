"""Books and charts for paper: booklets and Markdown."""
