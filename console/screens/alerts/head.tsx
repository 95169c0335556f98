import type { ComponentChildren, JSX } from 'preact';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { words } from '../../shell/language.ts';

/** The head of the lists of alerts, alert rules and alert channels, with links to all three. */
export const AlertsHead = ({ children }: { children?: ComponentChildren }): JSX.Element => {
  const { screens, alertRules, alertChannels } = words.value;
  return (
    <>
      <ScreenHead title={screens.alerts}>{children}</ScreenHead>
      <Tabs
        label={screens.alerts}
        items={[
          { to: '/alerts', label: screens.alerts },
          { to: '/alerts/rules', label: alertRules.title },
          { to: '/alerts/channels', label: alertChannels.title },
        ]}
      />
    </>
  );
};
