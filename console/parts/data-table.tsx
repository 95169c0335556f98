import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  /** unique among the columns; its cells have the class `cell-<name>` */
  name: string;
  /** its heading; of a column of buttons, for screen readers alone */
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** `key` names the row and comes first, `wide` takes the room that is left */
  kind?: 'key' | 'number' | 'actions' | 'wide';
}

export interface DataTableProps<Row> {
  /** what it lists, for screen readers */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** Rows of a list that is short enough to show whole; on a phone each is a card. */
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
