import type { Configuration } from '../../../cli/configuration/model.ts';
import type { ImportPlan, PlannedChange, Target } from '../../../cli/import-from/target.ts';

/** A target that stores objects by kind and key in memory. */
export const createMemoryTarget = (): Target & { objects: Map<string, string>; writes: number } => {
  const objects = new Map<string, string>();
  const target = { objects, writes: 0 };
  const planOf = (entries: readonly { kind: string; name: string; value: object }[]): ImportPlan => {
    const changes = entries.flatMap(({ kind, name, value }): PlannedChange[] => {
      const known = objects.get(`${kind} ${name}`);
      if (known === JSON.stringify(value)) return [];
      return [{ kind, name, action: known === undefined ? 'create' : 'change' }];
    });
    return {
      changes,
      unchanged: entries.length - changes.length,
      remarks: [],
      apply: async () => {
        target.writes += changes.length;
        for (const { kind, name, value } of entries) objects.set(`${kind} ${name}`, JSON.stringify(value));
        return [];
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
