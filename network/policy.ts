import {
  UNRESTRICTED_POLICY,
  createTargetPolicy,
  RESERVED,
  type TargetPolicy,
  type TargetRules,
} from '../domain/target/policy.ts';

/** Targets that every policy refuses: the service's own servers and its own listening ports. */
export type ReservedTargets = Required<Pick<TargetRules, 'reserved' | 'listeners' | 'machine'>>;

/** Gives access to the current reserved targets and reports changes. */
export interface CurrentReservedTargets {
  now: () => ReservedTargets;
  /** Registers a function that is called after each change. */
  onChange: (changed: () => void) => void;
}

/**
 * Creates the policy for targets that customers choose.
 *
 * @throws InvalidRange
 */
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

/**
 * Like {@link createPolicy}, but the policy follows changes of the reserved targets.
 *
 * @throws InvalidRange
 */
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

/**
 * Creates a policy that delegates each call to the current policy, so the policy can be replaced while it is in use.
 */
export const latestPolicy = (latest: () => TargetPolicy): TargetPolicy => ({
  refusal: (...asked) => latest().refusal(...asked),
  reservedPorts: (address) => latest().reservedPorts(address),
});

/**
 * Creates the policy for servers that the operator has chosen. Such servers may have any address. Only the reserved
 * ports that `policy` refuses are refused here too.
 */
export const anyAddressPolicy = ({ reservedPorts }: TargetPolicy): TargetPolicy => ({
  refusal: (address, port) => (port !== null && reservedPorts(address).includes(port) ? RESERVED : null),
  reservedPorts,
});

/**
 * The policy for connections to the mail relay and to the servers in RUNNER_ANCHORS. This policy allows every address,
 * because only the operator sets the addresses. The servers in RUNNER_ANCHORS receive no data.
 */
export const OWN_SERVERS_POLICY = UNRESTRICTED_POLICY;

/** Refuses every target. A runner uses it until the service has sent the actual policy. */
export const REFUSE_EVERYTHING: TargetPolicy = { refusal: () => 'not yet judged', reservedPorts: () => [] };
