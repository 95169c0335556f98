import type { PageLanguage } from './languages.ts';

/** Texts of the pages behind the links in messages (site/subscriptions/). */
export interface SubscriptionPageWords {
  confirm: LinkPageQuestion;
  confirmed: LinkPageWords;
  unsubscribe: LinkPageQuestion;
  unsubscribed: LinkPageWords;
  /** shown if the confirmation link has expired or the subscription has ended */
  expired: LinkPageWords;
  /** shown if the address has subscribed again after the link was sent */
  earlier: { title: string; text: string };
  /** shown if the link is incomplete or forged */
  wrong: { title: string; text: string };
  /** shown if the link's subscription does not exist */
  gone: { title: string; text: string };
  /** shown after any other problem, which may be temporary */
  trouble: { title: string; text: string };
}

/** A title and a text that depends on a page and an address. Texts contain no markup. */
interface LinkPageWords {
  title: string;
  text: (page: string, address: string) => string;
}

interface LinkPageQuestion extends LinkPageWords {
  button: string;
  /** explains what to do to people who did not request the message */
  note: string;
}

const en: SubscriptionPageWords = {
  confirm: {
    title: 'Confirm your subscription',
    text: (page, address) => `Do you want ${page} to send updates to ${address}?`,
    button: 'Confirm subscription',
    note: 'If you did not ask for this, just close this page: nothing will be sent.',
  },
  confirmed: {
    title: 'Your subscription is confirmed',
    text: (page, address) => `${page} sends updates to ${address} from now on. Each of them has a link to unsubscribe.`,
  },
  unsubscribe: {
    title: 'Unsubscribe',
    text: (page, address) => `Do you want ${page} to send no more updates to ${address}?`,
    button: 'Unsubscribe',
    note: 'If you want to keep getting updates, just close this page.',
  },
  unsubscribed: {
    title: 'You have unsubscribed',
    text: (page, address) => `${page} sends no more updates to ${address}.`,
  },
  expired: {
    title: 'This link is no longer valid',
    text: (page, address) => `Subscribe to ${page} again with ${address}, and you get a new link.`,
  },
  earlier: {
    title: 'This link belongs to an earlier subscription',
    text: 'Please use the link in the most recent message.',
  },
  wrong: {
    title: 'This link does not work',
    text: 'It may be incomplete. Please copy the whole link from the message.',
  },
  gone: { title: 'This subscription has ended', text: 'No more updates are sent for it.' },
  trouble: { title: 'That did not work', text: 'Please try again in a minute.' },
};

const de: SubscriptionPageWords = {
  confirm: {
    title: 'Abonnement bestätigen',
    text: (page, address) => `Soll ${page} Meldungen an ${address} senden?`,
    button: 'Abonnement bestätigen',
    note: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite einfach. Es wird dann nichts gesendet.',
  },
  confirmed: {
    title: 'Ihr Abonnement ist bestätigt',
    text: (page, address) =>
      `${page} sendet ab jetzt Meldungen an ${address}. Jede enthält einen Link, mit dem Sie sich abmelden können.`,
  },
  unsubscribe: {
    title: 'Abmelden',
    text: (page, address) => `Soll ${page} keine Meldungen mehr an ${address} senden?`,
    button: 'Abmelden',
    note: 'Wenn Sie weiterhin Meldungen erhalten möchten, schließen Sie diese Seite einfach.',
  },
  unsubscribed: {
    title: 'Sie sind abgemeldet',
    text: (page, address) => `${page} sendet keine Meldungen mehr an ${address}.`,
  },
  expired: {
    title: 'Dieser Link ist nicht mehr gültig',
    text: (page, address) => `Abonnieren Sie ${page} noch einmal mit ${address}, dann erhalten Sie einen neuen Link.`,
  },
  earlier: {
    title: 'Dieser Link gehört zu einem früheren Abonnement',
    text: 'Bitte verwenden Sie den Link in der neuesten Nachricht.',
  },
  wrong: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht ist er unvollständig. Bitte kopieren Sie den ganzen Link aus der Nachricht.',
  },
  gone: { title: 'Dieses Abonnement ist beendet', text: 'Es werden dafür keine Meldungen mehr gesendet.' },
  trouble: { title: 'Das hat nicht funktioniert', text: 'Bitte versuchen Sie es in einer Minute noch einmal.' },
};

const fr: SubscriptionPageWords = {
  confirm: {
    title: 'Confirmez votre abonnement',
    text: (page, address) => `Souhaitez-vous que ${page} envoie ses actualités à ${address} ?`,
    button: 'Confirmer l’abonnement',
    note: 'Si vous n’avez rien demandé, fermez simplement cette page : rien ne sera envoyé.',
  },
  confirmed: {
    title: 'Votre abonnement est confirmé',
    text: (page, address) =>
      `${page} envoie désormais ses actualités à ${address}. Chaque message contient un lien de désabonnement.`,
  },
  unsubscribe: {
    title: 'Se désabonner',
    text: (page, address) => `Souhaitez-vous que ${page} n’envoie plus ses actualités à ${address} ?`,
    button: 'Se désabonner',
    note: 'Pour continuer à recevoir les actualités, fermez simplement cette page.',
  },
  unsubscribed: {
    title: 'Vous êtes désabonné',
    text: (page, address) => `${page} n’envoie plus ses actualités à ${address}.`,
  },
  expired: {
    title: 'Ce lien n’est plus valable',
    text: (page, address) => `Abonnez-vous de nouveau à ${page} avec ${address} pour recevoir un nouveau lien.`,
  },
  earlier: {
    title: 'Ce lien appartient à un ancien abonnement',
    text: 'Veuillez utiliser le lien du message le plus récent.',
  },
  wrong: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet. Veuillez copier le lien entier depuis le message.',
  },
  gone: { title: 'Cet abonnement a pris fin', text: 'Plus aucun message n’est envoyé à ce titre.' },
  trouble: { title: 'Cela n’a pas fonctionné', text: 'Veuillez réessayer dans une minute.' },
};

const es: SubscriptionPageWords = {
  confirm: {
    title: 'Confirme su suscripción',
    text: (page, address) => `¿Desea que ${page} envíe sus novedades a ${address}?`,
    button: 'Confirmar suscripción',
    note: 'Si usted no lo ha solicitado, simplemente cierre esta página: no se enviará nada.',
  },
  confirmed: {
    title: 'Su suscripción está confirmada',
    text: (page, address) =>
      `A partir de ahora, ${page} enviará sus novedades a ${address}. Cada mensaje incluye un enlace para darse de baja.`,
  },
  unsubscribe: {
    title: 'Darse de baja',
    text: (page, address) => `¿Desea que ${page} deje de enviar sus novedades a ${address}?`,
    button: 'Darse de baja',
    note: 'Si quiere seguir recibiendo novedades, simplemente cierre esta página.',
  },
  unsubscribed: {
    title: 'Se ha dado de baja',
    text: (page, address) => `${page} ya no envía novedades a ${address}.`,
  },
  expired: {
    title: 'Este enlace ya no es válido',
    text: (page, address) => `Suscríbase de nuevo a ${page} con ${address} para recibir un enlace nuevo.`,
  },
  earlier: {
    title: 'Este enlace pertenece a una suscripción anterior',
    text: 'Utilice el enlace del mensaje más reciente.',
  },
  wrong: {
    title: 'Este enlace no funciona',
    text: 'Puede que esté incompleto. Copie el enlace entero del mensaje.',
  },
  gone: { title: 'Esta suscripción ha terminado', text: 'Ya no se envían novedades por ella.' },
  trouble: { title: 'No ha funcionado', text: 'Vuelva a intentarlo dentro de un minuto.' },
};

const ru: SubscriptionPageWords = {
  confirm: {
    title: 'Подтвердите подписку',
    text: (page, address) => `Отправлять уведомления ${page} на ${address}?`,
    button: 'Подтвердить подписку',
    note: 'Если вы этого не запрашивали, просто закройте страницу: вам ничего не придёт.',
  },
  confirmed: {
    title: 'Подписка подтверждена',
    text: (page, address) =>
      `Теперь уведомления ${page} приходят на ${address}. В каждом из них есть ссылка для отмены подписки.`,
  },
  unsubscribe: {
    title: 'Отмена подписки',
    text: (page, address) => `Больше не отправлять уведомления ${page} на ${address}?`,
    button: 'Отменить подписку',
    note: 'Если вы хотите и дальше получать уведомления, просто закройте страницу.',
  },
  unsubscribed: {
    title: 'Подписка отменена',
    text: (page, address) => `Уведомления ${page} больше не приходят на ${address}.`,
  },
  expired: {
    title: 'Ссылка больше не действует',
    text: (page, address) => `Подпишитесь на ${page} ещё раз с ${address}, и вы получите новую ссылку.`,
  },
  earlier: {
    title: 'Эта ссылка относится к прежней подписке',
    text: 'Воспользуйтесь ссылкой из последнего сообщения.',
  },
  wrong: {
    title: 'Ссылка не работает',
    text: 'Возможно, она неполная. Скопируйте всю ссылку из сообщения.',
  },
  gone: { title: 'Подписка завершена', text: 'По ней больше ничего не отправляется.' },
  trouble: { title: 'Не получилось', text: 'Попробуйте ещё раз через минуту.' },
};

const WORDS: Readonly<Record<PageLanguage, SubscriptionPageWords>> = { en, de, fr, es, ru };

/** Returns the texts in a language. */
export const subscriptionPageWords = (language: PageLanguage): SubscriptionPageWords => WORDS[language];
