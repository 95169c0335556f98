import { plurals } from '../../words/plurals.ts';
import type { RunnersWords } from '../words/runners.ts';

const processes = plurals('en', { one: 'process', other: 'processes' });
const types = plurals('en', { one: 'type', other: 'types' });

export const runners: RunnersWords = {
  text: 'A runner is a program on another machine that runs checks from there. It reaches this service over HTTPS and needs no open port.',
  none: 'There are no remote runners: this service runs all checks itself. A runner checks from another location, or checks hosts that only its own network reaches.',
  noneRevoked: 'No runner is revoked.',
  inUse: 'In use',
  make: 'New runner',
  state: 'State',
  states: { connected: 'Connected', silent: 'Silent', waiting: 'Not connected yet', revoked: 'Revoked' },
  lastContact: 'Last contact',
  never: 'Never',
  load: 'Load',
  runs: (inFlight, capacity) => `${inFlight} of ${capacity}`,
  processes,
  program: 'Version and address',
  types: 'Check types',
  lacking: (count) => `Can’t run ${types(count)}`,
  alone: 'Only runner of its region',
  ahead: (duration) => `Clock ${duration} ahead`,
  behind: (duration) => `Clock ${duration} behind`,
  privateLocation: 'Private location',
  otherOrganization: 'Organization',
  nameHint: 'Such as the location or the machine.',
  where: 'Region',
  newLocation: 'A new private location',
  inLocation: (name) => `Private location: ${name}`,
  inPublic: (name) => `Public region: ${name}`,
  privateHint: 'Only checks of your organization can name a private location. It has the name of its oldest runner.',
  publicHint:
    'It serves all organizations. The built-in runner no longer serves this region, whether or not this runner is connected.',
  rename: 'Rename',
  renameHint: 'A private location has the name of its oldest runner.',
  add: 'Add a runner to this region',
  rotate: 'Replace the token',
  rotateTitle: 'Replace the token?',
  rotateText:
    'the current token works until the new one is used, for at most a day. If it was stolen, revoke the runner instead.',
  rotated: 'Start the runner with the new token. Until then the current one works, for at most a day.',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this runner?',
  revokeText: 'Its token is rejected from now on, and its current runs are discarded. This can’t be undone.',
  revokePublic: 'The built-in runner takes the region back only after “uptrail runner release”.',
  once: 'Copy the token now: it is not shown again.',
  token: 'Runner token',
  start: 'Start it in a terminal',
  startHint: 'The command asks for the token, so that it appears neither in the shell history nor in the process list.',
  docker: 'Or with Docker, using the image that you have built',
  needsHttps: 'Runners refuse plain http: give the service an https address, and use it in the command.',
  onlyHere:
    'This address works on this machine only. A runner elsewhere needs the public https address of the service.',
  kept: 'I have copied it',
};
