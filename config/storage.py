"""How the pages' files are kept: hashed names, compressed beside, and scripts whose imports name hashed files too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

# Imports and re-exports begin a line; outside its braces, no sign that would make it another statement.
STATIC_IMPORT = (
    r"""(?m)^(?P<matched>(?P<head>(?:import|export)\s*(?:(?:\{[^}"']*\}|[^"';(={])*?\bfrom\s*)?)"""
    r"""["'](?P<url>\.[^"']+)["'])"""
)
LATER_IMPORT = r"""(?P<matched>(?P<head>\bimport\s*\(\s*)["'](?P<url>\.[^"']+)["'])"""


class HashedModulesStorage(CompressedManifestStaticFilesStorage):
    """A script's imports are rewritten to the hashed files, so that a browser may keep every module for ever.

    Not by Django's `support_js_module_import_aggregation`: its patterns take `import "./a.js"` and a re-export that
    follows for one statement and hash the second name twice, and they search vendored bundles, which import nothing.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((STATIC_IMPORT, '%(head)s"%(url)s"'), (LATER_IMPORT, '%(head)s"%(url)s"'))),
    )
    # A pass carries a file's new name to those that import it: one for each link of the longest chain of imports.
    max_post_process_passes = 20
