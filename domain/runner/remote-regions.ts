/** A region that is assigned to remote runners, but has no connected runner. */
export interface DisconnectedRegion {
  /** id of the region */
  region: string;
  /** when any runner of the region was last in contact, in milliseconds since 1970; null if unknown */
  since: number | null;
  /** whether no runner of the region has ever connected; this does not count as an outage */
  waiting?: boolean;
  /** name of the region; only for a private location */
  name?: string;
  /** organization of the region; only for a private location */
  organization_id?: string;
}

/**
 * The state of the regions of remote runners, as far as this process knows. Both functions read only memory, so they
 * are cheap.
 */
export interface RemoteRegions {
  /** returns the ids of the regions that are assigned to remote runners: they have a runner that is not revoked */
  expected: () => ReadonlySet<string>;
  /**
   * returns the assigned regions that have no runner with a connection to any process; null right after the start of
   * this process, while the connections are still unknown
   */
  cutOff: () => readonly DisconnectedRegion[] | null;
}
