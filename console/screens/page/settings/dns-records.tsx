import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { StatePill, type State } from '../../../../views/status/state.tsx';
import type { Failure } from '../../../api/failure.ts';
import type { Schemas } from '../../../api/openapi.d.ts';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { Moment } from '../../../parts/times/since.tsx';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';

export type EmailDomain = Schemas['EmailDomain'];
type DnsRecord = EmailDomain['records'][number];

const STATES: Readonly<Record<EmailDomain['status'], State>> = {
  pending: 'none',
  verified: 'operational',
  failed: 'major',
};

/** A domain with the DNS records that it needs, and whether they exist. */
export const DnsRecords = ({
  domain,
  onChecked,
}: {
  domain: EmailDomain;
  onChecked: (domain: EmailDomain) => void;
}): JSX.Element => {
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const says = words.value.pageSettings.email;
  const verify = async (): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      const params = { page_id: domain.page_id };
      onChecked(await call('POST /v1/pages/{page_id}/email-domain/verify', { params }));
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value = false;
    }
  };
  return (
    <div class="dns-records">
      <p class="domain-state">
        <bdi>
          {domain.domain} · {domain.from_email}
        </bdi>
        <StatePill state={STATES[domain.status]} label={says[domain.status]} />
      </p>
      <div class="checked" role="status">
        {domain.last_checked_at === null ? (
          says.notChecked
        ) : (
          <>
            {says.checked} <Moment instant={domain.last_checked_at} />
          </>
        )}
        {may('POST /v1/pages/{page_id}/email-domain/verify') && (
          <button type="button" class="button" disabled={busy.value} onClick={() => void verify()}>
            {says.check}
          </button>
        )}
      </div>
      {failure.value && <FailureLine failure={failure.value} />}
      <h3>{says.records}</h3>
      <p class="hint">{says.recordsText}</p>
      <ul>
        {domain.records.map((record) => (
          <Entry key={record.purpose} record={record} />
        ))}
      </ul>
    </div>
  );
};

const Entry = ({ record }: { record: DnsRecord }): JSX.Element => {
  const says = words.value.pageSettings.email;
  const { purpose, type, name, value, status, error_message } = record;
  const isAdvice = purpose === 'spf' || purpose === 'dmarc';
  const title = says.purposes[purpose];
  return (
    <li class="dns-record">
      <p>
        <strong>{title}</strong> <span class="fine">{type}</span>
        {isAdvice && <span class="fine"> {says.advice}</span>}
        <StatePill state={STATES[status]} label={says.statuses[status]} />
      </p>
      <CopyLine label={`${title}: ${says.recordName}`} text={name} />
      <CopyLine label={`${title}: ${says.recordValue}`} text={value} />
      {error_message !== null && (
        <p class="problem">
          <bdi>{error_message}</bdi>
        </p>
      )}
    </li>
  );
};
