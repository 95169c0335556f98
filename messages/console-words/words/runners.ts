/** Texts of the remote runners screen. */
export interface RunnersWords {
  /** what a runner is */
  text: string;
  none: string;
  noneRevoked: string;
  /** tab of the runners that are not revoked */
  inUse: string;
  make: string;
  state: string;
  states: { connected: string; silent: string; waiting: string; revoked: string };
  lastContact: string;
  never: string;
  load: string;
  /** the number of current runs, and the maximum */
  runs: (inFlight: number, capacity: number) => string;
  /** the number of connected processes with the same token */
  processes: (count: number) => string;
  /** its version and address */
  program: string;
  /** types of checks that it supports */
  types: string;
  /** the number of types it can't run; the reasons follow */
  lacking: (count: number) => string;
  /** the region has no other runner */
  alone: string;
  /** clock skew, as a duration */
  ahead: (duration: string) => string;
  behind: (duration: string) => string;
  privateLocation: string;
  /** before an organization id */
  otherOrganization: string;
  nameHint: string;
  where: string;
  newLocation: string;
  /** a private location, by name */
  inLocation: (name: string) => string;
  inPublic: (name: string) => string;
  privateHint: string;
  publicHint: string;
  rename: string;
  renameHint: string;
  /** creates another runner for the same region */
  add: string;
  rotate: string;
  rotateTitle: string;
  rotateText: string;
  rotated: string;
  revoke: string;
  revokeTitle: string;
  revokeText: string;
  /** additional consequence if the region is public */
  revokePublic: string;
  once: string;
  token: string;
  start: string;
  startHint: string;
  docker: string;
  /** the console was opened over http */
  needsHttps: string;
  /** the address is a loopback address */
  onlyHere: string;
  kept: string;
}
