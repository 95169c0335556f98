import type { RecordedEvent } from '../../domain/event.ts';
import type { Statement } from '../../domain/statement/content.ts';
import type { ComponentChange } from '../../queries/statements/comparison.ts';
import type { StatementEdit } from '../../queries/statements/edits.ts';
import type { Verdict } from '../../queries/statements/verify.ts';
import { escaped, type Output } from '../../service/output.ts';
import { actorText, eventTitle } from '../history/describe.ts';
import { namesIn } from '../history/history.ts';

export interface VerdictReport {
  statement: Statement;
  verdict: Verdict;
  /** events that contain the names of API keys */
  callers: readonly RecordedEvent[];
  /** whether to print one JSON object for tools */
  json: boolean;
}

/** Prints the outcome of a verification. */
export const writeVerdict = async ({ statement, verdict, callers, json }: VerdictReport, output: Output) => {
  const edits = verdict.verdict === 'changed' ? verdict.edits : [];
  const names = namesIn([...callers, ...edits.map(({ event }) => event)]);
  if (json) {
    const { page, month, log } = statement;
    const reasons = verdict.verdict === 'not_proven' ? verdict.reasons : [];
    const truncated = verdict.verdict === 'changed' && verdict.isTruncated;
    const shown = edits.map((edit) => describeEdit(edit, names));
    const outcome = { verdict: verdict.verdict, page_id: page.id, month, head: log.head, reasons, edits: shown };
    await output.line(JSON.stringify({ ...outcome, truncated }));
    return;
  }
  for (const line of linesOf(statement, verdict, names)) await output.line(line);
};

const linesOf = (statement: Statement, verdict: Verdict, names: ReadonlyMap<string, string>): string[] => {
  const { page, month, log } = statement;
  const what = `the uptime of ${escaped(page.name)} in ${month}`;
  if (verdict.verdict === 'not_proven')
    return [`Not proven: ${what}.`, ...verdict.reasons.map((reason) => escaped(reason))];
  const [events = ''] = log.head.split(':');
  const proven = `Proven: ${what} follows from the first ${events} events of the page.`;
  if (verdict.verdict === 'unchanged') return [proven, 'No later edit changes it.'];
  const { edits, isTruncated } = verdict;
  const count = edits.length === 1 ? '1 later edit changes' : `${edits.length} later edits change`;
  return [
    proven,
    `${isTruncated ? `More than ${count}` : count} it:`,
    ...edits.flatMap((edit) => editLines(edit, names)),
  ];
};

const editLines = (edit: StatementEdit, names: ReadonlyMap<string, string>): string[] => {
  const { at, type, actor, ...ids } = describeEdit(edit, names);
  const about = [
    ids.incident_id && `incident ${ids.incident_id}`,
    ids.incident_update_id && `update ${ids.incident_update_id}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return [
    `${at.slice(0, 10)} ${at.slice(11, 23)} UTC  ${eventTitle(type)}, by ${actorText(actor)}`,
    ...(about === '' ? [] : [`    ${about}`]),
    ...edit.changes.map((change) => `    ${changeText(change)}`),
  ];
};

/** Maximum number of figures of a component that are listed. */
const MOST_FIGURES = 8;

const changeText = ({ name, old, new: now, figures }: ComponentChange): string => {
  const label = escaped(name);
  if (!old) return `${label}: not in the statement before`;
  if (!now) return `${label}: not in the statement any more`;
  const shown = figures.slice(0, MOST_FIGURES).map(({ path, old: before, new: after }) => {
    return `${path} ${valueText(before)} → ${valueText(after)}`;
  });
  return `${label}: ${shown.join(', ')}${figures.length > MOST_FIGURES ? ', …' : ''}`;
};

const valueText = (value: unknown): string => {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? 'affected' : JSON.stringify(value);
};

const describeEdit = ({ event, changes }: StatementEdit, names: ReadonlyMap<string, string>) => {
  const { type, metadata } = event;
  const data = event.data as Record<string, unknown>;
  const idIn = (field: string): string | null => (typeof data[field] === 'string' ? data[field] : null);
  const { update } = data as { update?: { id?: string } };
  return {
    at: metadata.recorded_at,
    type,
    actor: { ...metadata.actor, name: names.get(metadata.actor.id) ?? null },
    incident_id: idIn('incident_id'),
    incident_update_id: idIn('incident_update_id') ?? update?.id ?? null,
    component_id: idIn('component_id'),
    changes: changes.map(({ id, name, old, new: now, figures }) => ({
      component_id: id,
      name,
      existed: { old: old !== null, new: now !== null },
      figures: Object.fromEntries(figures.map((one) => [one.path, { old: one.old ?? null, new: one.new ?? null }])),
    })),
  };
};
