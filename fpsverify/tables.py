"""Tables on disk: Parquet with a checksum of every number and name, verified when the table is read.

The checksum stands in the table's own metadata beside a mark. One flipped bit damages at most one of the two,
so a table with neither was written by an older version; it is read, and a warning says so.
"""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fpsverify.files import write_atomically

MARK, CHECKSUM = b"fpsverify table", b"checksum"
log = logging.getLogger(__name__)


def write(path: Path, table: pa.Table) -> None:
    about = table.schema.metadata or {}
    summed = table.replace_schema_metadata({**about, MARK: b"2", CHECKSUM: checksum(table).encode()})
    write_atomically(path, lambda p: pq.write_table(summed, p, write_page_checksum=True))


def read(path: Path) -> pa.Table:
    """What `write` wrote. ValueError says in a few words why a file is none, or not as it was written."""
    if not path.is_file():
        raise ValueError("a folder" if path.is_dir() else "no file")
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(use_threads=False)
        about = dict(table.schema.metadata or {})
        marked, stored = about.pop(MARK, None), about.pop(CHECKSUM, None)
        table = table.replace_schema_metadata(about)
        same = stored is not None and stored.decode() == checksum(table)
    except (pa.ArrowException, OSError, MemoryError, RuntimeError) as error:
        raise ValueError(" ".join(str(error).split())) from None
    if marked is None and stored is None:
        log.warning("%s: read without a check: an older version wrote it without a checksum", path)
    elif not (marked and same):
        raise ValueError("its bytes were changed after it was written")
    return table


def checksum(table: pa.Table) -> str:
    """A digest of names, kinds, values, which of them are absent, and what the table says of itself."""
    found = hashlib.sha256(str(sorted((table.schema.metadata or {}).items())).encode())
    found.update(str(table.num_rows).encode())
    for name, column in zip(table.column_names, table.columns, strict=True):
        found.update(f"{name} {column.type}".encode())
        found.update(column.is_null().to_numpy(zero_copy_only=False).tobytes())
        if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
            found.update(pc.fill_null(column, 0).to_numpy(zero_copy_only=False).tobytes())
        else:
            found.update(json.dumps(column.to_pylist()).encode())
    return found.hexdigest()
