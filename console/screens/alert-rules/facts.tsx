import type { JSX } from 'preact';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { words } from '../../shell/language.ts';
import type { Rule } from './draft.ts';
import { Sentences } from './sentences.tsx';
import { State } from './table.tsx';

/** The settings of a rule. */
export const RuleFacts = ({ rule }: { rule: Rule }): JSX.Element => {
  const { alertRules: says, alerts, severities } = words.value;
  return (
    <>
      <ScreenHead title={rule.name} isName of={rule} back={{ to: '/alerts/rules', label: says.title }} />
      <p class="rule-says">
        <Sentences rule={rule} />
      </p>
      <Facts
        facts={[
          rule.check_id === null
            ? [says.tag, rule.tag]
            : [
                says.check,
                <Link key="check" to={`/checks/${rule.check_id}`}>
                  <bdi>{rule.check_name ?? rule.check_id}</bdi>
                </Link>,
              ],
          [alerts.severity, severities[rule.severity]],
          [
            says.channels,
            <ul key="channels" class="plain-list">
              {rule.channels.map(({ id, name }) => (
                <li key={id}>
                  <Link to={`/alerts/channels/${id}`}>
                    <bdi>{name}</bdi>
                  </Link>
                </li>
              ))}
            </ul>,
          ],
          [says.state, <State key="state" rule={rule} />],
        ]}
      />
      <p>
        <Link to={`/alerts?status=all&rule_id=${rule.id}`}>{says.alertsOfRule}</Link>
      </p>
    </>
  );
};
