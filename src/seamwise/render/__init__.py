"""Records as people and programs read them: terminal, Markdown, JSON, HTML. Renders, never computes."""
