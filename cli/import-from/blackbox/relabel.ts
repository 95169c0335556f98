import { mappingsIn, textIn, textsIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';

/** Labels of a target by name. */
export type Labels = Readonly<Record<string, string>>;

/** A rule that copies labels, or sets one, as the documentation of the exporter shows it. */
interface CopyRule {
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

const WHOLE = ['(.*)', '^(.*)$', '(.+)', '.*', '.+'];

/** Reads `relabel_configs`. */
export const relabelling = (job: Mapping): Relabelling => {
  const rules: CopyRule[] = [];
  const unsupported: (string | null)[] = [];
  for (const rule of mappingsIn(job, 'relabel_configs')) {
    const action = (textIn(rule, 'action') ?? 'replace').toLowerCase();
    const target = textIn(rule, 'target_label');
    const isCopy = action === 'replace' && target !== undefined && WHOLE.includes(textIn(rule, 'regex') ?? '(.*)');
    if (isCopy)
      rules.push({
        sources: textsIn(rule, 'source_labels'),
        separator: textIn(rule, 'separator') ?? ';',
        replacement: textIn(rule, 'replacement') ?? '$1',
        target,
      });
    else unsupported.push(target ?? null);
  }
  return { rules, unsupported };
};

/** Applies rules to the labels of a target. */
export const relabelled = (labels: Labels, rules: readonly CopyRule[]): Labels => {
  const result: Record<string, string> = Object.assign(Object.create(null) as object, labels);
  for (const { sources, separator, replacement, target } of rules) {
    const value = sources.map((name) => result[name] ?? '').join(separator);
    result[target] = replacement.replace(/\$\{1\}|\$1/g, () => value);
  }
  return result;
};
