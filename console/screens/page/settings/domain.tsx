import type { JSX } from 'preact';
import { CopyLine } from '../../../parts/copy-line.tsx';
import { Section } from '../../../parts/form/section.tsx';
import { SERVICE_URL } from '../../../urls.ts';
import { words } from '../../../shell/language.ts';
import { addressHere, addressOfDomain } from '../../pages/address.ts';
import { PageFlag, PageText } from '../fields.tsx';
import { PageFormFrame } from '../page-form.tsx';
import type { TabProps } from '../tab-props.ts';
import { usePageForm } from '../use-page-form.ts';
import { dnsRecord, hostIn } from './dns.ts';

/** The addresses of a page. */
export const Domain = ({ page, onSaved, notify }: TabProps): JSX.Element => {
  const { pageSettings, pages, common } = words.value;
  const says = pageSettings.domain;
  const form = usePageForm(page, (saved) => {
    onSaved(saved);
    notify({ text: common.saved });
  });
  const domain = form.text('domain').value.trim();
  const host = hostIn(new URL(SERVICE_URL));
  const own = addressOfDomain(page);
  return (
    <>
      <PageFormFrame form={form}>
        <Section legend={pages.tabs.domain}>
          <PageText form={form} name="subdomain" label={pages.subdomain} hint={says.subdomainHint} required />
          <PageText
            form={form}
            name="domain"
            label={says.custom}
            hint={says.customHint}
            placeholder="status.example.com"
          />
          {domain !== '' && (
            <div class="dns">
              <h2>{says.dns}</h2>
              <p>{says.dnsText(domain)}</p>
              <CopyLine label={says.dnsLine} text={dnsRecord(domain, host ?? says.dnsHost)} />
              {host === null && <p class="hint">{says.noHost}</p>}
              <p class="hint">{says.certificate}</p>
            </div>
          )}
          <PageFlag form={form} name="redirect_to_domain" label={says.redirect} hint={says.redirectHint} />
        </Section>
      </PageFormFrame>
      <section class="addresses">
        <h2>{says.addresses}</h2>
        {own !== null && <CopyLine label={says.custom} text={own} />}
        <CopyLine label={pages.subdomain} text={addressHere(page)} />
      </section>
    </>
  );
};
