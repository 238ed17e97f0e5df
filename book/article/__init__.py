"""The article and the one-page summary: templates, and one module for each kind of number in them.

Every `*_numbers` module has a function `numbers()` that returns plain values, ready to print. `build` puts
them into the templates. `property_tests/book/test_article.py` computes them a second time, from the sources.
"""
