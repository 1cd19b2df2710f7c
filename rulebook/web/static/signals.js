// How somebody is called to their turn, by what they have chosen on this device. Nobody is called whose turn is a secret:
// the room would hear it.

const AGAIN = 45000; // milliseconds until somebody is called a second time, and then no more
const PRESENT = 5000; // milliseconds after a touch in which nobody needs to be called
const TONES = [660, 880]; // hertz
const TONE = 0.09; // seconds
const LOUDNESS = 0.15;
const STORED = 'signals';

// The ways there are here: some need a page that was loaded safely, or a device that can shake.
export const WAYS = {
  awake: () => isSecureContext && 'wakeLock' in navigator,
  sound: () => 'AudioContext' in window,
  shake: () => 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches,
  notice: () => isSecureContext && 'Notification' in window,
};
export const listWays = () => Object.keys(WAYS).filter((way) => WAYS[way]());

export function makeSignals() {
  const wanted = new Set(JSON.parse(localStorage.getItem(STORED) ?? '[]'));
  let audio = null;
  let lock = null;
  let notice = null;
  let called = ''; // the question to which somebody was called last
  let later = 0;
  let touched = -Infinity;
  let isPlaying = false;

  const has = (way) => wanted.has(way) && WAYS[way]();

  async function choose(way, isWanted) {
    if (way === 'notice' && isWanted && (await Notification.requestPermission()) !== 'granted') isWanted = false;
    if (isWanted) wanted.add(way);
    else wanted.delete(way);
    localStorage.setItem(STORED, JSON.stringify([...wanted]));
    if (way === 'sound' && isWanted) sound();
    if (way === 'shake' && isWanted) shake();
    if (way === 'awake') await keepAwake();
    return isWanted;
  }

  function sound() {
    audio ??= new AudioContext();
    const begin = audio.currentTime;
    TONES.forEach((hertz, at) => {
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = hertz;
      volume.gain.value = LOUDNESS;
      tone.connect(volume).connect(audio.destination);
      tone.start(begin + at * TONE);
      tone.stop(begin + (at + 1) * TONE);
    });
  }

  const shake = () => navigator.vibrate([70]);

  // Phones show none that a page makes by itself: a worker does it for the page.
  async function show(text) {
    try {
      notice = new Notification(text, { tag: STORED });
      notice.onclick = () => window.focus();
    } catch {
      const worker = await navigator.serviceWorker?.register('/files/sw.js').catch(() => null);
      await worker?.showNotification(text, { tag: STORED });
      notice = { close: () => worker?.getNotifications().then((all) => all.forEach((one) => one.close())) };
    }
  }

  function close() {
    notice?.close();
    notice = null;
  }

  function call(text) {
    if (has('sound')) sound();
    if (has('shake')) shake();
    if (has('notice') && document.hidden) show(text);
  }

  async function keepAwake() {
    const isWanted = isPlaying && has('awake') && !document.hidden;
    if (isWanted && !lock) {
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      lock?.addEventListener('release', () => (lock = null));
    } else if (!isWanted && lock) await lock.release();
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) close();
    keepAwake();
  });
  for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, () => {
    touched = performance.now();
    if (has('sound') && !audio) audio = new AudioContext(); // a sound needs a touch before it
    if (audio?.state === 'suspended') audio.resume();
  }, true);

  return {
    has: (way) => wanted.has(way),
    choose,
    // `question` names the one that is open, '' for none; `isPublic` says whether all see who is asked.
    tell(question, isPublic, text) {
      if (question === called) return;
      called = question;
      clearTimeout(later);
      close();
      if (!question || !isPublic) return;
      if (document.hidden || performance.now() - touched > PRESENT) call(text);
      later = setTimeout(() => performance.now() - touched > PRESENT && call(text), AGAIN);
    },
    play(isOn) {
      if (isPlaying === isOn) return;
      isPlaying = isOn;
      keepAwake();
    },
  };
}
