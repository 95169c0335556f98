import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  /** unique among the columns; its cells have the class `cell-<name>` */
  name: string;
  /** the heading; for a column of buttons, visible to screen readers only */
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** `key` names the row and comes first, `wide` takes the remaining width */
  kind?: 'key' | 'number' | 'actions' | 'wide';
}

export interface DataTableProps<Row> {
  /** description of the table for screen readers */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table for lists short enough to show completely; on a phone, each row is a card. */
export const DataTable = <Row,>({ label, columns, rows, keyOf }: DataTableProps<Row>): JSX.Element => (
  <table class="data" aria-label={label}>
    <thead>
      <tr>
        {columns.map(({ name, label: heading, kind = '' }) => (
          <th key={name} scope="col" class={`${kind} cell-${name}`}>
            {kind === 'actions' ? <span class="hidden">{heading}</span> : heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ name, label: heading, cell, kind = '' }) =>
            kind === 'key' ? (
              <th key={name} scope="row" class={`${kind} cell-${name}`}>
                {cell(row)}
              </th>
            ) : (
              <td key={name} class={`${kind} cell-${name}`} data-label={heading}>
                {cell(row)}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
);
