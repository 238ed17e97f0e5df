"""FPS under engines that others have built; each module needs the extra that its error line names."""
