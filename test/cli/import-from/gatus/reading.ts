import type { CheckEntry } from '../../../../cli/configuration/model.ts';
import { read } from '../../../../cli/import-from/gatus/source.ts';
import type { Imported } from '../../../../cli/import-from/imported.ts';
import { assertAccepted } from '../accepted.ts';

/** Imports a configuration of Gatus, and asserts that the API accepts the result. */
export const importGatus = (...texts: readonly string[]): Imported => {
  const names = ['config.yaml', 'more.yaml', 'third.yaml'];
  const imported = read(texts.map((text, index) => ({ name: names[index] ?? 'x.yaml', text })));
  assertAccepted(imported);
  return imported;
};

/** Imports one endpoint with the given lines of YAML. Returns its checks and the sentences about it. */
export const importEndpoint = (
  ...lines: readonly string[]
): { checks: readonly CheckEntry[]; unmapped: readonly string[] } => {
  const text = ['endpoints:', '  - name: a', ...lines.map((line) => `    ${line}`)].join('\n');
  const { configuration, unmapped } = importGatus(text);
  return { checks: configuration.checks ?? [], unmapped };
};

/** Returns the parameters of the only check of an https endpoint with these conditions. */
export const parametersFor = (...conditions: readonly string[]): Record<string, unknown> => {
  const { checks } = importEndpoint(
    'url: https://example.com/',
    'conditions:',
    ...conditions.map((condition) => `  - ${JSON.stringify(condition)}`),
  );
  return checks[0]?.['parameters'] as Record<string, unknown>;
};
