"""The page of the source as it is told beside the title of a chart."""

from refcli.render.text import page_words


def page_beside(title: str, page: str) -> str:
    """The page in words; nothing where there is none, or where it is a heading that the title says already."""
    return page_words([page]) if page and page.casefold() != title.casefold() else ""
