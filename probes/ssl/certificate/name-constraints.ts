import { GeneralName, type GeneralSubtrees, type NameConstraints } from '@peculiar/asn1-x509';
import ipaddr from 'ipaddr.js';
import { beginsWith, distinguishedName } from './distinguished-name.ts';
import { nameText } from './host-match.ts';
import type { Certificate } from './read-certificate.ts';

/**
 * Returns the first name of a certificate that the name constraints of an issuer forbid (RFC 5280, 4.2.1.10); null if
 * all names are permitted. If there are constraints on an unsupported kind of name, all names of this kind are
 * forbidden.
 */
export const forbiddenName = (
  { names, subject }: Certificate,
  { permittedSubtrees, excludedSubtrees }: NameConstraints,
): string | null => {
  const all: GeneralName[] = [...names, ...(subject.length > 0 ? [new GeneralName({ directoryName: subject })] : [])];
  for (const name of all) {
    const kind = kindOf(name);
    if (!kind) continue;
    const permitted = ofKind(permittedSubtrees, kind);
    const isAllowed = permitted.length === 0 || permitted.some((base) => isWithin(name, base, kind, false));
    if (!isAllowed || ofKind(excludedSubtrees, kind).some((base) => isWithin(name, base, kind, true)))
      return name.directoryName ? distinguishedName(name.directoryName) : (nameText(name) ?? 'a name');
  }
  return null;
};

/** Returns the maximum number of comparisons that {@link forbiddenName} makes: names times constraints. */
export const comparisons = (
  { names }: Pick<Certificate, 'names'>,
  { permittedSubtrees, excludedSubtrees }: NameConstraints,
): number => (names.length + 1) * ((permittedSubtrees?.length ?? 0) + (excludedSubtrees?.length ?? 0));

const KINDS = [
  ...(['dNSName', 'iPAddress', 'directoryName'] as const),
  ...(['rfc822Name', 'uniformResourceIdentifier', 'otherName', 'registeredID', 'x400Address', 'ediPartyName'] as const),
];
type Kind = (typeof KINDS)[number];

const kindOf = (name: GeneralName): Kind | undefined => KINDS.find((kind) => (name[kind] as unknown) !== undefined);

const ofKind = (trees: GeneralSubtrees | undefined, kind: Kind): GeneralName[] =>
  trees ? [...trees].map(({ base }) => base).filter((base) => kindOf(base) === kind) : [];

/**
 * Returns whether a name is equal to or below the base of a constraint.
 *
 * @param unknown the result for unsupported kinds of names
 */
const isWithin = (name: GeneralName, base: GeneralName, kind: Kind, unknown: boolean): boolean => {
  switch (kind) {
    case 'dNSName':
      return isBelow(name.dNSName ?? '', base.dNSName ?? '');
    case 'iPAddress':
      return isInRange(name.iPAddress ?? '', base.iPAddress ?? '');
    case 'directoryName':
      return (
        name.directoryName !== undefined && beginsWith(name.directoryName, base.directoryName ?? name.directoryName)
      );
    default:
      return unknown;
  }
};

/**
 * Returns whether a DNS name is at or below a base. This also works for wildcards: `*.a.example` is below `a.example`.
 */
const isBelow = (name: string, base: string): boolean => {
  const [inner, outer] = [name.toLowerCase().replace(/\.$/, ''), base.toLowerCase().replace(/^\.|\.$/g, '')];
  if (outer === '' || inner.endsWith(`.${outer}`)) return true;
  return inner === outer && !base.startsWith('.');
};

const isInRange = (address: string, range: string): boolean => {
  if (!ipaddr.isValid(address) || !ipaddr.isValidCIDR(range)) return false;
  const [one, [base, bits]] = [ipaddr.parse(address), ipaddr.parseCIDR(range)];
  return one.kind() === base.kind() && one.match(base, bits);
};
