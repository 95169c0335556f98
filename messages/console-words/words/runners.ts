/** Texts of the remote runners screen. */
export interface RunnersWords {
  /** explains what a runner is */
  text: string;
  none: string;
  noneRevoked: string;
  /** label of the tab with the runners that are not revoked */
  inUse: string;
  make: string;
  state: string;
  states: { connected: string; silent: string; waiting: string; revoked: string };
  lastContact: string;
  never: string;
  load: string;
  /** number of current runs, and maximum number */
  runs: (inFlight: number, capacity: number) => string;
  /** the number of connected processes with the same token */
  processes: (count: number) => string;
  /** heading of the column with the version and address of a runner */
  program: string;
  /** heading of the column with the check types that a runner supports */
  types: string;
  /** says how many check types a runner can't run; the reasons are listed after this text */
  lacking: (count: number) => string;
  /** warns that the region has no other runner */
  alone: string;
  /**
   * `ahead` warns that the runner's clock is ahead of the service's clock, and `behind` that the runner's clock is
   * behind
   */
  ahead: (duration: string) => string;
  behind: (duration: string) => string;
  privateLocation: string;
  /** shown before an organization id */
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
  /** label of the action that creates another runner for the same region */
  add: string;
  rotate: string;
  rotateTitle: string;
  rotateText: string;
  rotated: string;
  revoke: string;
  revokeTitle: string;
  revokeText: string;
  /** warns of an additional consequence if the region is public */
  revokePublic: string;
  once: string;
  token: string;
  start: string;
  startHint: string;
  docker: string;
  /** shown if the console was opened over plain http */
  needsHttps: string;
  /** shown if the console was opened at a loopback address, which runners on other machines can't reach */
  onlyHere: string;
  kept: string;
}
