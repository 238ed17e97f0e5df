"""Charts and pages without any network: inline SVG, colours that follow the reader's theme, one HTML file."""
