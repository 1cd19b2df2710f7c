// Lets the search take whole questions, as people ask them at a table: the rows of "How do I …" that fit come first, and
// of the pages those with most of the words, the rare ones above all. (Sphinx by itself wants every word in one page.)

if (typeof Search !== "undefined") {
  const HOW = "how_do_i";
  // Words of any question, by which nothing is told.
  const SMALL = new Set(
    ("a about after all an and any anybody are as at be but by can cannot could did do does don for from game games get gets " +
      "had has have how i if in into is it its keeps let like make me my need no not of on one only or our out please should so " +
      "some somebody someone t that the their them then there they thing things this to up us use was way we what when where " +
      "which who will with without you your").split(" "),
  );
  const stemmer = new Stemmer();
  const stem = (text) =>
    [...new Set(splitQuery(text.toLowerCase()).filter((word) => !SMALL.has(word) && !/^\d+$/.test(word)))].map((word) =>
      stemmer.stemWord(word),
    );

  // How much a word tells that stands in `count` of `all`.
  const rate = (all, count) => Math.log(1 + all / (count || 0.5));

  const readRows = async () => {
    const page = await fetch(`${HOW}.html`);
    const table = new DOMParser().parseFromString(await page.text(), "text/html").querySelector("[role=main] table, article table");
    return [...table.querySelectorAll("tbody tr")].flatMap((row) => {
      const [question, answer] = [...row.cells].map((cell) => cell.textContent.trim());
      if (!answer) return [];
      const link = row.cells[1].querySelector("a.internal")?.getAttribute("href") ?? `${HOW}.html`;
      return [{ question, answer, link, asked: new Set(stem(question)), said: new Set(stem(answer)) }];
    });
  };

  const findRows = (rows, words) => {
    const worth = words.map((word) => {
      const count = rows.filter((row) => row.asked.has(word) || row.said.has(word)).length;
      return rate(rows.length, count) * (count ? 1 : 0.35); // a word that no row has says least of which one is meant
    });
    const whole = worth.reduce((sum, one) => sum + one, 0);
    const enough = 0.3 * Math.min(1, 6 / words.length); // who asks at length says much that is no word of the answer
    return rows
      .map((row) => {
        const told = words.map((word, at) => worth[at] * (row.asked.has(word) ? 1 : row.said.has(word) ? 0.5 : 0));
        return [told.reduce((sum, one) => sum + one, 0) / whole, row];
      })
      .filter(([share]) => share >= enough)
      .sort(([one], [other]) => other - one)
      .slice(0, 3)
      .map(([share, row]) => {
        const [file, anchor] = row.link.split("#");
        const place = anchor ? `#${anchor}` : "";
        return [file.replace(".html", ""), row.question, place, row.answer, 1000 + share, file, SearchResultKind.text];
      });
  };

  const findPages = (words, excluded) => {
    const { terms, titleterms, titles, docnames, filenames } = Search._index;
    const list = (found) => (found === undefined ? [] : [].concat(found));
    const listHeads = (word) => list(Object.hasOwn(titleterms, word) ? titleterms[word] : undefined);
    // A long page has most words by chance.
    const lengths = new Array(docnames.length).fill(0);
    for (const found of Object.values(terms)) for (const page of list(found)) lengths[page] += 1;
    const usual = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
    const scores = new Map();
    for (const word of words) {
      const likes = Object.keys(terms).filter((term) => term === word || (word.length > 4 && term.startsWith(word)));
      const there = new Set(likes.flatMap((term) => list(terms[term])));
      const heads = new Set(listHeads(word));
      const worth = rate(docnames.length, new Set([...there, ...heads]).size);
      for (const page of new Set([...there, ...heads])) {
        scores.set(page, (scores.get(page) ?? 0) + (worth * (heads.has(page) ? 4 : 1)) / (1 + 0.3 * (lengths[page] / usual)));
      }
    }
    // Of messages there are more pages than of all else; who has one in hand looks for its number.
    const isOfMessages = words.some((word) => /^rb\d/.test(word));
    if (!isOfMessages) {
      for (const [page, score] of scores) if (docnames[page].startsWith("messages/")) scores.set(page, score / 4);
    }
    // A page of the gallery has most words of cards and rules by chance; who wants one names its game.
    const isOfGame = (page) => words.some((word) => listHeads(word).includes(page));
    for (const [page, score] of scores) {
      if (docnames[page].startsWith("gallery/") && !isOfGame(page)) scores.set(page, score / 4);
    }
    for (const word of excluded) list(terms[word]).forEach((page) => scores.delete(page));
    const best = Math.max(0, ...scores.values());
    return [...scores]
      .filter(([, score]) => score >= best / 2)
      .map(([page, score]) => [docnames[page], titles[page], "", null, score, filenames[page], SearchResultKind.text]);
  };

  let rows = [];
  const query = Search.query;
  Search.query = async (asked) => {
    rows = await readRows().catch(() => []); // without a server there are the pages still
    query(asked);
  };
  Search.performTermsSearch = (searched, excluded) => {
    const given = document.querySelector('input[name="q"]')?.value ?? "";
    const stems = stem(given);
    const words = stems.length ? stems : [...searched];
    return [...findRows(rows, words), ...findPages(words, excluded)];
  };
}
