/** What the screen of remote runners says. */
export interface RunnersWords {
  /** what a runner is */
  text: string;
  none: string;
  noneRevoked: string;
  /** those that are not revoked */
  inUse: string;
  make: string;
  state: string;
  states: { connected: string; silent: string; waiting: string; revoked: string };
  lastContact: string;
  never: string;
  load: string;
  /** how many runs are under way, of how many that it takes at once */
  runs: (inFlight: number, capacity: number) => string;
  /** connected processes with the same token */
  processes: (count: number) => string;
  /** its version and address */
  program: string;
  /** types of checks that it can run */
  types: string;
  /** how many types it can't run; the reasons follow */
  lacking: (count: number) => string;
  /** its region has no other runner */
  alone: string;
  /** its clock, by a duration */
  ahead: (duration: string) => string;
  behind: (duration: string) => string;
  privateLocation: string;
  /** before the id of an organization */
  otherOrganization: string;
  nameHint: string;
  where: string;
  newLocation: string;
  /** a private location, by its name */
  inLocation: (name: string) => string;
  inPublic: (name: string) => string;
  privateHint: string;
  publicHint: string;
  rename: string;
  renameHint: string;
  /** another runner for the same region */
  add: string;
  rotate: string;
  rotateTitle: string;
  rotateText: string;
  rotated: string;
  revoke: string;
  revokeTitle: string;
  revokeText: string;
  /** what else happens where the region is public */
  revokePublic: string;
  once: string;
  token: string;
  start: string;
  startHint: string;
  docker: string;
  /** the console is shown over http */
  needsHttps: string;
  /** the address is that of the machine itself */
  onlyHere: string;
  kept: string;
}
