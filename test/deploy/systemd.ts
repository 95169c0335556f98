import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { inProject, run } from './project.ts';

/** The settings of a unit by name. A setting can have several values, which are in the order of the lines. */
export type Settings = ReadonlyMap<string, readonly string[]>;

/** The systemd unit of the service, and its drop-in for scripts. */
export const UNIT = 'deploy/systemd/uptrail.service';
export const DROP_IN = 'deploy/systemd/scripts.conf';
/** The unit of the service's listening socket. */
export const SOCKET_UNIT = 'deploy/systemd/uptrail.socket';
/** The systemd unit of a remote runner. */
export const RUNNER_UNIT = 'deploy/systemd/uptrail-runner.service';

/**
 * Reads the files of a unit in the given order, as systemd does. An empty value clears the earlier values of its
 * setting.
 */
export const settingsOf = (...files: readonly string[]): Settings => {
  const settings = new Map<string, string[]>();
  for (const line of files.flatMap((file) => inProject(file).split('\n'))) {
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    settings.set(name, value === '' ? [] : [...(settings.get(name) ?? []), value]);
  }
  return settings;
};

/** Returns the final value of a setting. */
export const settingOf = (settings: Settings, name: string): string => settings.get(name)?.at(-1) ?? '';

/**
 * Writes the unit to a folder. The unit then starts the Node.js that runs the tests.
 *
 * @returns the path of the unit file
 */
export const unitIn = (folder: string, ...dropIns: readonly string[]): string => {
  const unit = join(folder, 'uptrail.service');
  writeFileSync(unit, inProject(UNIT).replace('/usr/bin/node', process.execPath));
  for (const [index, dropIn] of dropIns.entries()) {
    mkdirSync(`${unit}.d`, { recursive: true });
    writeFileSync(join(`${unit}.d`, `${index}.conf`), inProject(dropIn));
  }
  return unit;
};

/** Returns the system calls that a value of `SystemCallFilter=` names: a single call, or all calls of a group. */
export const callsNamed = async (name: string): Promise<string[]> => {
  if (!name.startsWith('@')) return [name];
  const { code, output } = await run('systemd-analyze', ['syscall-filter', name]);
  assert.is(code, 0, output);
  const names = output
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return (await Promise.all(names.map(callsNamed))).flat();
};

/** Returns the system calls that the lines of `SystemCallFilter=` allow. */
export const callsLeft = async (settings: Settings): Promise<Set<string>> => {
  const left = new Set(await callsNamed('@default'));
  for (const line of settings.get('SystemCallFilter') ?? []) {
    for (const name of line.replace('~', '').split(' ')) {
      for (const call of await callsNamed(name)) {
        if (line.startsWith('~')) left.delete(call);
        else left.add(call);
      }
    }
  }
  return left;
};
