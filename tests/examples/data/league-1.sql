BEGIN TRANSACTION;
CREATE TABLE qrja_events (
            number INTEGER PRIMARY KEY,
            batch INTEGER NOT NULL,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            author TEXT NOT NULL,
            at TEXT NOT NULL,
            key TEXT UNIQUE,
            fingerprint TEXT NOT NULL,
            digest TEXT NOT NULL
        );
INSERT INTO "qrja_events" VALUES(1,1,'titled','{"title":"Sunday races"}','Ann','2026-11-18T02:22:17.936967Z',NULL,'e021f433264ffc88d708abca95f9048a974a795ea3a0508919eb4993acd7579e','cbbd947a0f9f1889598216d1d14bba3d439acdd2d10a822165e0b57dcb006bb9');
INSERT INTO "qrja_events" VALUES(2,2,'added','{"contests":[{"contest":"Boston","results":[["Alice",-14400.0],["Bob",-15060.0]]},{"contest":"New York","results":[["Alice",-15000.0],["Bob",-15480.0]]},{"contest":"Chicago","results":[["Alice",-13800.0],["Bob",-14460.0],["Charlie",-14940.0]]}],"units":{"kind":"time","lower_is_better":true,"written":"time"}}','Ann','2026-11-18T02:22:18.520143Z','upload 1','f633a5ff093b2e7197424c7e64886a42ce7f08f8f200969209c8fccd228082bb','679b2f01825147d2df44356a2d7f1ae5dac35b7876029a6ed214b90cf5919fa4');
INSERT INTO "qrja_events" VALUES(3,3,'corrected','{"contest":"Boston","contestant":"Bob","score":-15030.0}','Bea','2026-11-18T02:22:18.540032Z',NULL,'ff0f9d44ab858a72140e3d8178bf218156d73e4f6d794b9f9bb9a96a855bb2b1','88bef89602c5d16471aab9a40677e47b40918fa7cfcf8958ee9d55fdf45f8883');
INSERT INTO "qrja_events" VALUES(4,4,'undone','{"event":3}','Ann','2026-11-18T02:22:18.551463Z',NULL,'e2b1e2f62b820f98e75d667edde0a68f40d1370b56617a51d999a07117baaed8','4c5aaf849f39542daf13815b79b7f1b39ae2af6d73c8414fe56fae81687a1594');
CREATE TABLE qrja_league (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "qrja_league" VALUES('version','1');
COMMIT;
