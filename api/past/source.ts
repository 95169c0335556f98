/** Names the stream that holds the events of a resource, and the other streams whose events change the resource. */
export interface Source {
  /** Category of the stream. */
  category: string;
  /** Path parameter with the id of the stream, such as `'page_id'`. Null: the stream of the organization. */
  parameter: string | null;
  /** Which events of the stream belong to the resource. Set only if several resources share the stream. */
  about?: {
    /** type of the resource in the audit log, such as `component` */
    kind: string;
    /** Path parameter with the id of the resource. Null: the stream has only one resource of this kind. */
    parameter: string | null;
  };
  /** Types of the events that remove the resource. Set if the deletion of a parent also removes the resource. */
  removedBy?: readonly string[];
  /** Resources to which the resource refers, and whose events change the resource. */
  refers?: readonly Reference[];
  /**
   * Categories of other streams whose events also change what the resource shows. For example, a page shows its
   * incidents.
   */
  below?: readonly string[];
  /**
   * Which events of other streams change the resource. Incidents set the status of components and of their groups, and
   * sessions set the last sign-in of their users.
   */
  changedWith?: 'incidents' | 'sessions';
}

/** A reference to another resource, and the events of the other resource that end or restore the reference. */
export interface Reference {
  /** field of the resource with the id of the other resource */
  field: string;
  category: string;
  types: readonly string[];
}
