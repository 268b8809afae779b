"""Systems of record: tables that the organization already trusts, read as they stand and never written.

    with open_table("csv", "payments.csv") as table:
        table.columns                  # ("payment_id", "customer", "amount", ...)
        for row in table.rows:
            row.place, row.cells       # "payments.csv:2", {"payment_id": "p1", ...}

One file of this package is one sort of table; adding one is adding a file and its line in ``_open.SORTS``. A reader downloads nothing, runs
no code of the table's, and gives exact values: a decimal stays the digits that were stored, a null is an absent cell. DuckDB (Parquet) and
psycopg (Postgres) are extras and are imported when a table asks for them.
"""

from seamwise.sources._open import SORTS, Wanted, open_table
from seamwise.sources._table import MAX_ROWS, Row, Table

__all__ = ["MAX_ROWS", "SORTS", "Row", "Table", "Wanted", "open_table"]
