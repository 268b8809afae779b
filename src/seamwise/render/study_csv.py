"""Tables of an analysis as CSV: one file a table, numbers in full."""

from __future__ import annotations

import csv
import io

from seamwise.render.study_cells import csv_header, csv_row
from seamwise.study.analysis import Analysis, Table


def table_csv(table: Table) -> str:
    """One table, with a header; lines end with a line feed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(csv_header(table))
    writer.writerows(csv_row(row, table) for row in table.rows)
    return out.getvalue()


def analysis_csv(told: Analysis) -> dict[str, str]:
    """File name -> content, for every table."""
    return {f"{table.name}.csv": table_csv(table) for table in told.tables}
