import type { JSX } from 'preact';
import { StateIcon } from '../../../views/status/state.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { Link } from '../../parts/link.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import type { TagCounts } from './counts.ts';

interface TagTableProps {
  rows: readonly TagCounts[];
  onAsk: (what: 'rename' | 'remove', row: TagCounts) => void;
}

/** A count that links to a list of the counted objects, or a dash for zero. */
const Count = ({ count, to }: { count: number; to: string }): JSX.Element =>
  count === 0 ? <>–</> : <Link to={to}>{numberFormat(language.value).format(count)}</Link>;

/** A count of problems, with the icon of their state. */
const Wrong = ({ count, to, state }: { count: number; to: string; state: 'major' | 'degraded' }): JSX.Element => (
  <span class="tag-mark">
    {count > 0 && <StateIcon state={state} />} <Count count={count} to={to} />
  </span>
);

export const TagTable = ({ rows, onAsk }: TagTableProps): JSX.Element => {
  const { tags: says, common } = words.value;
  const columns: Column<TagCounts>[] = [
    { name: 'tag', label: says.tag, kind: 'key', cell: ({ tag }) => tag },
    {
      name: 'of-checks',
      label: says.checks,
      kind: 'number',
      cell: ({ tag, checks }) => <Count count={checks} to={`/checks?filter=tag:${tag}`} />,
    },
    {
      name: 'failing',
      label: says.failing,
      kind: 'number',
      cell: ({ tag, failing }) => <Wrong count={failing} to={`/checks?filter=status:down+tag:${tag}`} state="major" />,
    },
    {
      name: 'beats',
      label: says.heartbeats,
      kind: 'number',
      cell: ({ tag, heartbeats }) => <Count count={heartbeats} to={`/heartbeats?filter=tag:${tag}`} />,
    },
    {
      name: 'late',
      label: says.late,
      kind: 'number',
      cell: ({ tag, late }) => (
        <Wrong count={late} to={`/heartbeats?filter=status:down,grace+tag:${tag}`} state="degraded" />
      ),
    },
  ];
  if (may('POST /v1/checks/bulk') && may('PATCH /v1/heartbeats/{heartbeat_key}'))
    columns.push({
      name: 'more',
      label: common.actions,
      kind: 'actions',
      cell: (row) => (
        <Menu label={`${common.actions}: ${row.tag}`} icon="more">
          <button
            onClick={() => {
              onAsk('rename', row);
            }}
          >
            {says.rename}
          </button>
          <button
            class="danger"
            onClick={() => {
              onAsk('remove', row);
            }}
          >
            {common.remove}
          </button>
        </Menu>
      ),
    });
  return <DataTable label={words.value.screens.tags} columns={columns} rows={rows} keyOf={({ tag }) => tag} />;
};
