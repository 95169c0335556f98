import { plurals } from '../../words/plurals.ts';
import type { SubscriptionWords } from './words.ts';

const minutes = plurals('es', { one: 'minuto', other: 'minutos' });

export const es: SubscriptionWords = {
  title: 'Suscribirse a las novedades',
  intro: (page) => `Reciba un mensaje cuando ${page} informe de una incidencia o planifique un mantenimiento.`,
  notTaken: 'Esta página no admite suscripciones.',
  incidentsOnly: 'En esta página puede suscribirse a incidencias concretas. Abra una incidencia y elija «Seguir».',
  how: '¿Cómo podemos avisarle?',
  modes: { email: 'Correo electrónico', sms: 'SMS', webhook: 'Webhook' },
  email: 'Correo electrónico',
  country: 'País',
  chooseCountry: 'Elija un país',
  phone: 'Número de móvil',
  endpoint: 'URL del webhook',
  endpointHint:
    'Enviamos allí cada novedad en JSON. Primero enviamos una petición de verificación, que debe responderse.',
  contact: 'Correo electrónico para problemas (opcional)',
  contactHint: 'Para mensajes sobre el propio webhook.',
  about: '¿Sobre qué quiere recibir avisos?',
  all: 'Todo lo de esta página',
  allHint: 'Todas las incidencias y mantenimientos',
  some: 'Solo algunos componentes',
  someHint: 'Incidencias y mantenimientos de los que elija',
  incident: 'Solo esta incidencia',
  maintenance: 'Solo este mantenimiento',
  submit: 'Suscribirse',
  note: 'Le pediremos que lo confirme. Cada mensaje incluye un enlace para darse de baja.',
  problem: 'Revise los campos marcados.',
  problems: {
    mode: 'Elija cómo podemos avisarle.',
    email: 'Escriba una dirección de correo, por ejemplo ida@example.com.',
    phone_country: 'Elija el país de su número. No se puede enviar a todos los países.',
    phone_number: 'Escriba un número de móvil del país elegido.',
    endpoint: 'Escriba una URL accesible desde Internet.',
    contact_email: 'Escriba una dirección de correo o deje el campo vacío.',
    component_ids: 'Elija al menos un componente que siga en la página.',
  },
  incidentOver: 'Ya no es posible suscribirse a esta incidencia.',
  refused: 'Esta página no admite este tipo de suscripción.',
  tooMany: (count) => `Ha habido demasiadas suscripciones. Vuelva a intentarlo dentro de ${minutes(count)}.`,
  taken:
    'Este destino no puede suscribirse ahora. Consulte a quienes lo administran o a los responsables de la página.',
  done: {
    email: {
      title: 'Revise su correo',
      text: 'Le hemos enviado un enlace. Ábralo en un plazo de siete días para confirmar su suscripción; hasta entonces no se envían novedades. Si ya las recibe, no tiene que hacer nada y no llegará ningún mensaje nuevo.',
      hint: '¿No ha llegado nada en unos minutos? Mire en la carpeta de correo no deseado, o compruebe la dirección y suscríbase de nuevo.',
    },
    sms: {
      title: 'Revise su teléfono',
      text: 'Le hemos enviado un SMS con un enlace. Ábralo en un plazo de siete días para confirmar su suscripción; hasta entonces no se envían novedades. Si ya las recibe, no tiene que hacer nada y no llegará ningún mensaje nuevo.',
      hint: '¿No ha llegado nada en unos minutos? Compruebe el número y suscríbase de nuevo.',
    },
    webhook: {
      title: 'Webhook suscrito',
      text: (endpoint) =>
        `Enviamos una petición de verificación a ${endpoint}. En cuanto responda, recibirá las novedades.`,
      secret: 'Secreto de firma',
      secretHint:
        'Solo se muestra ahora. Sirve para comprobar la firma de cada petición, como describe Standard Webhooks.',
    },
  },
  other: 'Otras formas de seguir',
  otherText: 'Los canales y el calendario no necesitan suscripción.',
  manage: {
    title: 'Su suscripción',
    address: 'Las novedades se envían a',
    receives: 'Enviarme novedades',
    receivesHint: 'Desactívelo para hacer una pausa: la suscripción se mantiene y no se envía nada.',
    save: 'Guardar',
    saved: 'Sus cambios se han guardado.',
    pending: 'Esta suscripción aún no está confirmada. Abra el enlace del mensaje que hemos enviado.',
    quarantined:
      'Los mensajes a esta dirección han fallado y ya no enviamos más. Guarde con las novedades activadas para volver a recibirlas.',
    oneIncident: 'Esta suscripción es sobre una sola incidencia:',
    unsubscribeText: 'Si ya no quiere recibir ninguna novedad, cancele su suscripción.',
    unsubscribe: 'Darse de baja',
    link: 'Cambiar su suscripción',
  },
};
