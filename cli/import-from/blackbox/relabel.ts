import { mappingsIn, textIn, textsIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';

/** Labels of a target by name. */
export type Labels = Readonly<Record<string, string>>;

/** A rule that copies labels, or sets one, as the documentation of the exporter shows it. */
interface CopyRule {
  /** whether the rule changes nothing if the value is empty */
  needsValue: boolean;
  /** whether `$1` stands for the value; otherwise for nothing */
  hasGroup: boolean;
  sources: readonly string[];
  separator: string;
  replacement: string;
  target: string;
}

/** The rules of a job. `unsupported` contains labels that other rules set, or null for rules that choose targets. */
export interface Relabelling {
  rules: readonly CopyRule[];
  unsupported: readonly (string | null)[];
}

/**
 * Matches expressions that match a whole value: `(.*)`, or `(.+)` unless the value is empty, with or without a group. An
 * optional port after the group, as in old examples of Prometheus (`(.*)(:80)?`), never matches, because `.*` is greedy.
 */
const WHOLE = /^\^?(?:\(\.([*+])\)(?:\(:\d+\)\?)?|\.([*+]))\$?$/;

/** Reads `relabel_configs`. */
export const relabelling = (job: Mapping): Relabelling => {
  const rules: CopyRule[] = [];
  const unsupported: (string | null)[] = [];
  for (const rule of mappingsIn(job, 'relabel_configs')) {
    const action = (textIn(rule, 'action') ?? 'replace').toLowerCase();
    const target = textIn(rule, 'target_label');
    const whole = WHOLE.exec(textIn(rule, 'regex') ?? '(.*)');
    if (action === 'replace' && target !== undefined && !target.includes('$') && whole)
      rules.push({
        needsValue: (whole[1] ?? whole[2]) === '+',
        hasGroup: whole[1] !== undefined,
        sources: textsIn(rule, 'source_labels'),
        separator: textIn(rule, 'separator') ?? ';',
        replacement: textIn(rule, 'replacement') ?? '$1',
        target,
      });
    else unsupported.push(target ?? null);
  }
  return { rules, unsupported };
};

/** Matches what Prometheus replaces: `$$`, `$1` and `${1}`. */
const REFERENCE = /\$(?:(\$)|\{(\w+)\}|(\w+))/g;

/** Applies rules to the labels of a target. An empty label does not exist. */
export const relabelled = (labels: Labels, rules: readonly CopyRule[]): Labels => {
  const result = new Map(Object.entries(labels).filter(([, value]) => value !== ''));
  for (const { needsValue, hasGroup, sources, separator, replacement, target } of rules) {
    const value = sources.map((name) => result.get(name) ?? '').join(separator);
    if (needsValue && value === '') continue;
    const filled = replacement.replace(REFERENCE, (_, dollar?: string, braced?: string, bare?: string) => {
      if (dollar !== undefined) return dollar;
      const name = braced ?? bare;
      return name === '0' || (name === '1' && hasGroup) ? value : '';
    });
    if (filled === '') result.delete(target);
    else result.set(target, filled);
  }
  return Object.fromEntries(result);
};
