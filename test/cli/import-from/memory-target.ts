import type { Configuration } from '../../../cli/configuration/model.ts';
import type { ImportPlan, PlannedObject, Target } from '../../../cli/import-from/target.ts';

/** A target that stores objects by kind and key in memory. */
export const createMemoryTarget = (): Target & { objects: Map<string, string>; writes: number } => {
  const objects = new Map<string, string>();
  const target = { objects, writes: 0 };
  const planOf = (entries: readonly { kind: string; name: string; value: object }[]): ImportPlan => {
    const planned = entries.map(({ kind, name, value }): PlannedObject => {
      const known = objects.get(`${kind} ${name}`);
      return {
        kind,
        name,
        action: known === undefined ? 'create' : known === JSON.stringify(value) ? 'unchanged' : 'update',
      };
    });
    return {
      objects: planned,
      apply: async () => {
        target.writes += planned.filter(({ action }) => action !== 'unchanged').length;
        for (const { kind, name, value } of entries) objects.set(`${kind} ${name}`, JSON.stringify(value));
      },
    };
  };
  return Object.assign(target, {
    planConfiguration: async (configuration: Configuration) =>
      planOf(
        Object.entries(configuration).flatMap(([kind, entries]) =>
          (entries as readonly { name: string; group?: string | null }[]).map((value) => ({
            kind,
            name: typeof value.group === 'string' ? `${value.group} / ${value.name}` : value.name,
            value,
          })),
        ),
      ),
    planHistory: async ({ incidents }: Parameters<Target['planHistory']>[0]) =>
      planOf(incidents.map((value) => ({ kind: value.kind, name: value.source_id, value }))),
  });
};
