import { flagIn, mappingIn, mappingsIn, textIn } from '../mapping/fields.ts';
import type { Draft } from '../mapping/draft.ts';
import { omit } from '../mapping/omit.ts';
import { isMapping, placedLike, type Mapping } from '../read-yaml.ts';
import { PROVIDERS, closestOf } from './providers.ts';

/** The channels that replace the alerting providers of Gatus. They are created when the first alert uses them. */
export interface Channels {
  /** Returns the name of the channel of an alert; null if its provider has no equivalent. */
  channelOf: (type: string, group: string, alert: Mapping) => string | null;
  /** Returns the default alert of a provider for a group; empty without one. */
  defaultAlertOf: (type: string, group: string) => Mapping;
}

const merged = (base: Mapping, override: Mapping): Mapping =>
  placedLike(Object.assign(Object.create(null), base, override) as Record<string, unknown>, override, base);

/** @param alerting the section `alerting` */
export const createChannels = (alerting: Mapping, draft: Draft): Channels => {
  const created = new Map<string, string | null>();

  /** Returns the settings of a provider for a group; null if it is not configured. */
  const providerOf = (type: string, group: string): { settings: Mapping; isOverridden: boolean } | null => {
    const provider = mappingIn(alerting, type);
    if (!provider) return null;
    const override = mappingsIn(provider, 'overrides').find((one) => group !== '' && textIn(one, 'group') === group);
    return override
      ? { settings: merged(provider, override), isOverridden: true }
      : { settings: provider, isOverridden: false };
  };

  const create = (type: string, name: string, settings: Mapping): string | null => {
    const convert = PROVIDERS.get(type);
    const configured =
      convert?.(settings, (sentence) => {
        draft.note(sentence);
      }) ?? null;
    if (!configured) {
      if (!convert) draft.note(`Alerts of the type "${type}" are left out; ${closestOf(type)}`);
      return null;
    }
    return draft.addChannel({ name, ...configured });
  };

  return {
    channelOf: (type, group, alert) => {
      const provider = providerOf(type, group);
      if (!provider) {
        draft.note(
          `Alerts of the type "${type}" are left out, because the section "alerting" does not configure it; create a channel and a rule.`,
        );
        return null;
      }
      const own = mappingIn(alert, 'provider-override');
      const settings = own ? merged(provider.settings, own) : provider.settings;
      const key = JSON.stringify([type, omit(settings, 'overrides', 'default-alert', 'group')]);
      const known = created.get(key);
      if (known !== undefined) return known;
      const name = own ? `${type} (own settings)` : provider.isOverridden ? `${type} (${group})` : type;
      const channel = create(type, name, settings);
      created.set(key, channel);
      return channel;
    },
    defaultAlertOf: (type, group) => {
      const defaults = providerOf(type, group)?.settings['default-alert'];
      return isMapping(defaults) ? defaults : {};
    },
  };
};

/** Whether a section is there and not switched off. */
export const isEnabled = (section: Mapping): boolean => flagIn(section, 'enabled') ?? true;
