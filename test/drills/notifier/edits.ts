import type { Edit } from '../copy.ts';

export const DRILL = 'test/drills/notifier';

/** The edits that add a notifier with its cause, as docs/develop/add-notifier.md says. */
export const EDITS: readonly Edit[] = [
  {
    file: 'notifiers/index.ts',
    lines: [
      { before: 'import type { Notifier }', line: "import { createLine } from './line/index.ts';" },
      { before: '    createWebhook(webhook),', line: '    createLine(webhook),' },
    ],
  },
  {
    file: 'projections/index.ts',
    lines: [
      {
        before: 'import { organizations }',
        line: "import { openedIncidents } from './opened-incidents/projection.ts';",
      },
      { before: '  organizations,', line: '  openedIncidents,' },
    ],
  },
  {
    file: 'reactors/delivery/cause-kinds.ts',
    lines: [
      { before: 'import type { AnyCauseKind,', line: "import { incidentOpened } from './incident-opened.ts';" },
      { before: '  // One line per kind.', line: '  incidentOpened,' },
    ],
  },
];
