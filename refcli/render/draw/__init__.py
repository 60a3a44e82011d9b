"""Flow charts as drawings and as text for programs that draw."""
