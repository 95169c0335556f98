import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';

export interface AutoRenewProps {
  organization: Schemas['Organization'];
  onChanged: () => void;
}

/** Shows whether the subscription is renewed automatically, and lets the user change this. */
export const AutoRenew = ({ organization: { id, auto_renew }, onChanged }: AutoRenewProps): JSX.Element => {
  const failure = useSignal<Failure | null>(null);
  const busy = useSignal(false);
  const says = words.value.plan;
  const set = async (renew: boolean): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      await call('PATCH /v1/organizations/{org_id}', { params: { org_id: id }, body: { auto_renew: renew } });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure.value = error;
    } finally {
      busy.value = false;
      onChanged();
    }
  };
  if (!may('PATCH /v1/organizations/{org_id}'))
    return <p class="hint">{auto_renew ? says.renews : says.doesNotRenew}</p>;
  return (
    <>
      <label class="tick-line">
        <input
          type="checkbox"
          checked={auto_renew}
          disabled={busy.value}
          onChange={({ currentTarget }) => void set(currentTarget.checked)}
        />
        <span>{says.autoRenew}</span>
      </label>
      {failure.value && <FailureLine failure={failure.value} />}
    </>
  );
};
