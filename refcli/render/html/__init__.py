"""Books and charts as pages of HTML."""
