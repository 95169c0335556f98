import {
  UNRESTRICTED_POLICY,
  createTargetPolicy,
  RESERVED,
  type TargetPolicy,
  type TargetRules,
} from '../domain/target/policy.ts';

/** Targets that every policy refuses: the service's own servers and its own listening ports. */
export type ReservedTargets = Required<Pick<TargetRules, 'reserved' | 'listeners' | 'machine'>>;

/** The current reserved targets, with notification of changes. */
export interface CurrentReservedTargets {
  now: () => ReservedTargets;
  /** Calls back after each change. */
  onChange: (changed: () => void) => void;
}

/** The policy for targets that the operator did not choose. @throws InvalidRange */
export const createPolicy = (
  { policy, allow, deny }: Pick<TargetRules, 'policy' | 'allow' | 'deny'>,
  { reserved, listeners, machine }: ReservedTargets,
): TargetPolicy =>
  createTargetPolicy({
    policy,
    ...(allow !== undefined && { allow }),
    ...(deny !== undefined && { deny }),
    ...{ reserved, listeners, machine },
  });

/** Like {@link createPolicy}, but follows changes of the reserved targets. @throws InvalidRange */
export const createLivePolicy = (
  rules: Pick<TargetRules, 'policy' | 'allow' | 'deny'>,
  reserved: CurrentReservedTargets,
): TargetPolicy => {
  let latest = createPolicy(rules, reserved.now());
  reserved.onChange(() => {
    latest = createPolicy(rules, reserved.now());
  });
  return latestPolicy(() => latest);
};

/** A policy that may be replaced while in use. */
export const latestPolicy = (latest: () => TargetPolicy): TargetPolicy => ({
  refusal: (...asked) => latest().refusal(...asked),
  reservedPorts: (address) => latest().reservedPorts(address),
});

/** The policy for servers that the operator has chosen: they may have any address, except what a policy reserves. */
export const anyAddressPolicy = ({ reservedPorts }: TargetPolicy): TargetPolicy => ({
  refusal: (address, port) => (port !== null && reservedPorts(address).includes(port) ? RESERVED : null),
  reservedPorts,
});

/**
 * The policy for connections to the service's own servers, the mail relay and RUNNER_ANCHORS (which receive no data):
 * only the operator sets their addresses.
 */
export const OWN_SERVERS_POLICY = UNRESTRICTED_POLICY;

/** Refuses everything, until a runner has received its policy. */
export const REFUSE_EVERYTHING: TargetPolicy = { refusal: () => 'not yet judged', reservedPorts: () => [] };
