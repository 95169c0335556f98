import type {
  CheckEntry,
  HeartbeatEntry,
  NamedEntry,
  PageEntry,
  Reference,
  RuleEntry,
} from '../../configuration/model.ts';
import type { Imported } from '../imported.ts';
import { problemsOfChannel, problemsOfCheck, problemsOfHeartbeat, problemsOfRule } from './validation.ts';

/** Collects the objects that an importer finds. It refuses objects that the API would refuse. */
export interface Draft {
  /** Adds a sentence about something that Uptrail cannot represent. Equal sentences are added once. */
  note: (sentence: string) => void;
  addGroup: (name: string) => string;
  /** Adds a check under a name that is unique in its group. Returns null if the API would refuse it. */
  addCheck: (check: CheckEntry) => Reference | null;
  addHeartbeat: (heartbeat: HeartbeatEntry) => string | null;
  /** Adds a channel. Returns its name; null if the API would refuse it. */
  addChannel: (
    channel: NamedEntry & { type: string; configuration: Readonly<Record<string, unknown>> },
  ) => string | null;
  addRule: (rule: RuleEntry) => void;
  addPage: (page: PageEntry) => void;
  /** Calls a function. If it fails, the checks, heartbeats, rules, groups and sentences that it added are removed. */
  attempt: <T>(run: () => T) => T;
  imported: () => Imported;
}

/** Cuts a text to a number of characters. */
export const cut = (text: string, max: number): string => {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
};

/** Returns names that are unique: the second object with a name is `name (2)`. */
export const uniqueNames = (max: number) => {
  const taken = new Set<string>();
  return (name: string, scope = ''): string => {
    const key = (candidate: string): string => JSON.stringify([scope, candidate]);
    let candidate = cut(name.trim(), max);
    for (let count = 2; taken.has(key(candidate)); count += 1)
      candidate = `${cut(name.trim(), max - ` (${count})`.length)} (${count})`;
    taken.add(key(candidate));
    return candidate;
  };
};

const sentenceOf = (kind: string, name: string, problems: readonly string[]): string =>
  `The ${kind} "${name}" is left out, because Uptrail would refuse it: ${problems.join(' ')}`;

export const createDraft = (): Draft => {
  const unmapped = new Set<string>();
  const groups = new Map<string, NamedEntry>();
  const checks: CheckEntry[] = [];
  const heartbeats: HeartbeatEntry[] = [];
  const channels: NamedEntry[] = [];
  const rules: RuleEntry[] = [];
  const pages: PageEntry[] = [];
  const names = {
    check: uniqueNames(100),
    heartbeat: uniqueNames(255),
    channel: uniqueNames(100),
    rule: uniqueNames(100),
  };

  /** Returns whether an object can be added. If it can't, adds a sentence that says why. */
  const isSound = (kind: string, { name }: NamedEntry, problems: readonly string[]): boolean => {
    if (problems.length > 0) unmapped.add(sentenceOf(kind, name, problems));
    return problems.length === 0;
  };

  return {
    note: (sentence) => unmapped.add(sentence),
    addGroup: (given) => {
      const name = cut(given.trim(), 100);
      if (!groups.has(name)) groups.set(name, { name });
      return name;
    },
    addCheck: (given) => {
      const problems = problemsOfCheck(given);
      if (!isSound('check', { name: cut(given.name, 100) }, problems)) return null;
      const name = names.check(given.name, given.group ?? '');
      checks.push({ ...given, name });
      return { group: given.group ?? null, name };
    },
    addHeartbeat: (given) => {
      if (!isSound('heartbeat', { name: cut(given.name, 255) }, problemsOfHeartbeat(given))) return null;
      const name = names.heartbeat(given.name);
      heartbeats.push({ ...given, name });
      return name;
    },
    addChannel: (given) => {
      if (!isSound('channel', given, problemsOfChannel(given))) return null;
      const name = names.channel(given.name);
      channels.push({ ...given, name });
      return name;
    },
    addRule: (given) => {
      const rule = { ...given, name: names.rule(given.name) };
      if (isSound('alert rule', rule, problemsOfRule(rule))) rules.push(rule);
    },
    addPage: (page) => pages.push(page),
    attempt: (run) => {
      const lengths = [checks, heartbeats, rules].map((list) => [list, list.length] as const);
      const known = new Set([...unmapped, ...groups.keys()]);
      try {
        return run();
      } catch (error) {
        // Channels stay, because later entries may share them.
        for (const [list, length] of lengths) list.length = length;
        for (const sentence of unmapped) if (!known.has(sentence)) unmapped.delete(sentence);
        for (const name of groups.keys()) if (!known.has(name)) groups.delete(name);
        throw error;
      }
    },
    imported: () => ({
      configuration: {
        ...(groups.size > 0 && { check_groups: [...groups.values()] }),
        ...(checks.length > 0 && { checks }),
        ...(channels.length > 0 && { channels }),
        ...(rules.length > 0 && { rules }),
        ...(heartbeats.length > 0 && { heartbeats }),
        ...(pages.length > 0 && { pages }),
      },
      unmapped: [...unmapped],
    }),
  };
};
