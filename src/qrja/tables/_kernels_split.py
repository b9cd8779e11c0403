"""Compiled: the bytes of a plain CSV file are split into rows and fields."""

from __future__ import annotations

from typing import Any

from qrja.jit import Int, Table, threaded

PLAIN, DELIMITER, NEWLINE, RETURN, QUOTE, ODD = range(6)
"""What a byte is to the reader; odd ones stand in no plain file."""
SKIPPED = -1
"""The column of a field that is not read."""


@threaded
def split_rows(
    data: Table, end: Int, kinds: Table, returns: Int, column_of: Table, spans: Table
) -> Any:
    """Split the whole rows among the bytes before ``end``, where a newline must stand.

    Parameters
    ----------
    kinds : array of uint8
        What each of the 256 bytes is.
    returns : int
        1 if lines end with a return and a newline, 0 if with a newline alone.
    column_of : array of int
        Which of the columns to read each field of a row is, or ``SKIPPED``.
    spans : array of int
        Receives where each field begins and ends, for each column and row.

    Returns
    -------
    rows, position
        How many rows were split, and where the next begins; the position is -1 if a row is not
        plain.
    """
    at = row = 0
    last = len(column_of) - 1
    while True:
        begin_row = at
        for field in range(last + 1):
            column = column_of[field]
            quoted = data[at] == 34
            at += quoted
            begin = at
            while kinds[data[at]] == PLAIN:
                at += 1
            while quoted and at < end:  # a delimiter, or a quote: the last, or one of two
                if kinds[data[at]] == QUOTE:
                    if at + 1 == end:
                        return row, begin_row
                    if data[at + 1] != 34:
                        break
                    if column != SKIPPED:
                        return row, -1
                    at += 1
                elif kinds[data[at]] != DELIMITER:
                    return row, -1
                at += 1
                while kinds[data[at]] == PLAIN:
                    at += 1
            finish = at
            at += quoted
            if returns and field == last:
                if at < end and kinds[data[at]] != RETURN:
                    return row, -1
                at += 1
            if at >= end:
                return row, begin_row
            if kinds[data[at]] != (NEWLINE if field == last else DELIMITER):
                return row, -1
            at += 1
            if column != SKIPPED:
                if finish == begin:
                    return row, -1
                spans[column, row, 0], spans[column, row, 1] = begin, finish
        row += 1
