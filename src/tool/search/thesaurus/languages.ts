/**
 * Words of other languages for what tools do and what they do it to: German, French, Spanish, Italian, Portuguese, Dutch, Polish,
 * Swedish, Russian, Turkish, Japanese, Chinese and Korean. A line is an English expression and, after the colon, what it is called elsewhere. A word may
 * go on with an ending. Marks over letters do not matter.
 */
export const translations = `
show: zeig zeige anzeigen montre montrer affiche afficher muestra muestrame mostrar mostra mostrami mostre toon tonen laat pokaz wyswietl visa показать покажи показ goster 表示 見せて 显示 顯示 查看 看 展示 보여 보기 표시
list: liste auflisten aufzahlen lister listar enumera elenca elencare elenco lijst opsommen lista wypisz список перечисли listele 一覧 リスト 列出 列表 清单 목록 나열
read: lies lesen lire lis leer lee leggi leggere ler leia lees lezen czytaj przeczytaj odczytaj las прочитай читать прочесть oku 読む 読んで 読み 读取 读 讀取 阅读 읽어 읽기
get: hole holen abrufen obtenir obtiens recupere recuperer obtener obten trae ottieni ottenere recupera obter obtenha haal ophalen pobierz hamta получить получи getir 取得 获取 拿 가져 조회
search: suche suchen durchsuche durchsuchen cherche chercher recherche rechercher busca buscar cerca cercare ricerca pesquisa pesquisar procure procurar zoek zoeken szukaj wyszukaj przeszukaj sok найди найти поиск искать ara bul 検索 探して 探す 搜索 搜尋 查询 查找 검색 찾아 찾기
find: finde finden trouve trouver encuentra encontrar trova trovare encontre encontra vind vinden znajdz hitta 見つけ 找到 寻找
create: erstelle erstellen anlegen lege erzeuge erzeugen cree creer crea crear creare criar crie cria maak maken aanmaken utworz stworz skapa создай создать oluştur yarat 作成 作って 作る 创建 建立 新建 创造 생성 만들 작성
add: fuge hinzufugen hinzu ajoute ajouter anade anadir agrega agregar aggiungi aggiungere adicionar adicione adiciona voeg toevoegen dodaj добавь добавить ekle 追加 添加 新增 增加 추가
write: schreibe schreiben schreib ecris ecrire escribe escribir scrivi scrivere escrever escreva schrijf schrijven napisz zapisz skriv напиши написать запиши yaz 書く 書いて 書き込 写入 写 写下 쓰기 써
update: aktualisiere aktualisieren andere andern bearbeite bearbeiten mets mettre modifie modifier actualiza actualizar modifica modificar aggiorna aggiornare modificare atualizar atualize bewerk bewerken bijwerken wijzig zaktualizuj edytuj zmien uppdatera andra обнови обновить измени изменить guncelle duzenle 更新 編集 変更 修改 编辑 更改 수정 업데이트 편집 변경
delete: losche loschen entferne entfernen supprime supprimer efface effacer elimina eliminar borra borrar cancella cancellare eliminare apagar apague excluir exclua deletar remover verwijder verwijderen wis usun skasuj radera удали удалить sil 削除 消して 消す 删除 刪除 移除 삭제 지워
rename: umbenennen benenne renomme renommer renombra renombrar rinomina rinominare renomear renomeie hernoem hernoemen 改名 переименуй 名前変更 重命名 이름변경
move: verschiebe verschieben deplace deplacer mueve mover sposta spostare mova verplaats verplaatsen przenies flytta переместить перемести tasi 移動 移动 이동 옮겨
copy: kopiere kopieren copie copier copia copiar copiare kopieer kopier skopiuj kopiera скопируй копировать kopyala コピー 複製 复制 拷贝 복사
open: offne offnen ouvre ouvrir abre abrir apri aprire abra otworz oppna открой открыть ac 開く 開いて 打开 打開 열어 열기
close: schliesse schliessen ferme fermer cierra cerrar chiudi chiudere fechar feche sluit sluiten zamknij stang закрой закрыть kapat 閉じ 关闭 關閉 닫기 닫아
run: ausfuhren fuhre starte starten lance lancer execute executer ejecuta ejecutar esegui eseguire avvia executar voer uitvoeren uruchom wykonaj kor запусти запустить выполни calistir 実行 執行 执行 运行 启动 실행
running: laufen laufende laufenden lauft cours ejecucion esecuzione execucao dzialajace dzialaja uruchomione запущенные запущены calisan 実行中 正在运行 실행중
stop: stoppe stoppen beende beenden anhalten arrete arreter detener deten ferma fermare parar pare beeindig zatrzymaj zakoncz stoppa остановить останови durdur 停止 止めて 終了 停 结束 终止 중지 종료 멈춰
send: sende senden schicke schicken envoie envoyer envia enviar invia inviare envie stuur versturen wyslij skicka отправь отправить gonder 送信 送って 发送 發送 보내
download: herunterladen lade telecharge telecharger descarga descargar scarica scaricare baixar baixe download pobrac sciagnij скачай скачать indir ダウンロード 下载 下載 다운로드
upload: hochladen televerse televerser subir sube carica caricare carregar przeslij загрузи загрузить yukle アップロード 上传 上傳 업로드
wait: warte warten attends attendre espera esperar aspetta attendere espere wacht wachten czekaj poczekaj vanta подожди ждать bekle 待って 待つ 等待 기다려
compare: vergleiche vergleichen compare comparer compara comparar confronta confrontare vergelijk porownaj jamfor сравни сравнить karsilastir 比較 比较 비교
explain: erklare erklaren explique expliquer explica explicar spiega spiegare uitleg wyjasnij forklara объясни acikla 説明 解释 解釋 설명
analyze: analysiere analysieren analyse analyser analiza analizar analizza analisar analise analyseer przeanalizuj analysera анализ проанализируй incele 分析 분석
check: prufe prufen uberprufe uberprufen verifie verifier comprueba verifica verificar controlla controllare controleer sprawdz kontrollera проверь проверить kontrol 確認 チェック 检查 檢查 확인 점검
click: klicke klicken clique cliquer clic haz hacer clicca cliccare clicar klik kliknij klicka нажми кликни tikla クリック 点击 點擊 클릭
fill form: ausfullen remplis remplir rellena rellenar compila compilare preencher preencha invullen vul wypelnij заполни 入力 填写 입력
draw chart: zeichne zeichnen dessine dessiner dibuja dibujar disegna disegnare desenhar desenhe teken narysuj rita нарисуй ciz 描く 描いて 画 绘制 그려
generate: generiere generieren genere generer genera generar generare gerar gere genereer wygeneruj сгенерируй 生成
save: speichere speichern sichere enregistre enregistrer sauvegarde guarda guardar salva salvare salvar bewaar opslaan spara сохрани сохранить kaydet 保存 儲存 저장
remember: merke merken erinnere souviens souvenir retiens recuerda recordar ricorda ricordare lembrar lembre onthoud zapamietaj запомни hatirla 覚え 记住 記住 기억
know about: weisst weiss wissen sais sait sabes saber sai sapere wiecie знаешь 知って 知道
take: nimm mach mache machen prends prendre fais faire toma tomar tirar tire tira fai scatta neem zrob ta сделай сделать 撮る 撮って 拍 찍어
frequent: haufig haufige haufigsten frequents frequentes frecuentes frecuente frequenti veelvoorkomende czeste частые 頻出 频繁
word: wort worter mot mots palabra palabras parola parole palavra palavras woord woorden slowo slowa слово слова kelime 単語 词 단어
translate: ubersetze ubersetzen traduis traduire traduce traducir traduci traduzir vertaal przetlumacz переведи 翻訳 翻译 번역
assign: zuweisen assigne asigna assegna atribuir toewijzen przypisz назначь
close issue: schliesst
reply comment: antworte antworten kommentiere kommentieren commente commenter reponds repondre comenta comentar responde commenta rispondi reageer odpowiedz skomentuj прокомментируй 返信 コメント 评论 回复 댓글
console: konsole consola konsola consolle консоль コンソール 控制台 콘솔
merge: zusammenfuhren fusionne fusionner fusiona fusionar unisci unire mesclar mescle samenvoegen polacz scal слить объедини birlestir マージ 合并 合併 병합
restart: neustarten redemarre reinicia riavvia reiniciar herstart перезапусти 再起動 重启 재시작
scale: skaliere skalieren escala scala masstab масштабируй スケール 扩展 확장
connect: verbinde verbinden connecte connecter conecta conectar connetti verbind polacz podlacz подключи 接続 连接 연결
undo reset: ruckgangig zuruck zurucksetzen annule annuler deshacer deshaz annulla annullare desfazer ongedaan cofnij отмени geri 元に戻 取り消 撤销 恢复 되돌
install: installiere installieren installe installer instala instalar installa installare installeer zainstaluj установи kur インストール 安装 安裝 설치
visit website: besuche besuchen visite visiter visita visitar navigue naviguer navega navegar naviga navigare bezoek przejdz odwiedz перейди アクセス 访问 訪問 방문
think: nachdenken denke denken reflechis reflechir piensa pensar pensa pensare pense denk mysl подумай dusun 考え 思考 생각
file: datei dateien fichier fichiers archivo archivos fichero ficheros arquivo arquivos ficheiro bestand bestanden plik pliki pliku plikow fil filer файл dosya ファイル 文件 檔案 파일
folder directory: mappen ordner verzeichnis dossier dossiers repertoire repertoires carpeta carpetas directorio directorios cartella cartelle pasta pastas diretorio mappen folder folderu katalog katalogu mapp папка папку папке каталог klasor dizin フォルダ フォルダー ディレクトリ 文件夹 目录 資料夾 目錄 폴더 디렉토리 디렉터리
content: inhalt inhalte contenu contenido contenuto conteudo inhoud zawartosc innehall содержимое содержание icerik 内容 내용
text: text texte texto testo tekst текст metin テキスト 文本 文字 텍스트
line: zeile zeilen ligne linea riga linha regel linia rad строка satir 行
image picture: bild bilder image images imagen imagenes immagine immagini imagem imagens afbeelding obraz obrazek картинка изображение resim gorsel 画像 写真 图片 图像 圖片 이미지 사진 그림
screenshot: bildschirmfoto bildschirmaufnahme capture ecran captura pantalla schermata tela schermafbeelding zrzut ekranu skarmbild скриншот снимок ekran スクリーンショット スクショ 截图 截屏 截圖 스크린샷 캡처
page: seite seiten page pagina paginas pagine strona strone strony sida страница страницу sayfa ページ 页面 网页 頁面 페이지
website: webseite website webseiten site sitio sito webpagina witryna webbplats сайт ウェブサイト サイト 网站 網站 웹사이트 사이트
web internet: internet internet netz web rete siec интернет интернете internette ネット インターネット 互联网 网上 网络 網路 인터넷 웹
browser: browser navigateur navegador przegladarka webblasare браузер tarayici ブラウザ 浏览器 瀏覽器 브라우저
button: knopf schaltflache bouton boton pulsante bottone botao knop przycisk knapp кнопка кнопку dugme ボタン 按钮 按鈕 버튼
form: formular formulaire formulario modulo formulier formularz форма フォーム 表单 表單 양식
field property: feld felder champ campo campi veld pole поле alan フィールド 字段 欄位 필드
link url: verknupfung lien liens enlace enlaces collegamento koppeling odnosnik ссылка baglanti リンク 链接 連結 링크
tab: registerkarte onglet onglets pestana pestanas scheda schede aba tabblad karta вкладка sekme タブ 标签页 탭
window: fenster fenetre ventana finestra janela venster okno fonster окно pencere ウィンドウ 窗口 창
repository: repositorium depot repositorio deposito codebase opslagplaats repozytorium репозиторий depo リポジトリ 仓库 存储库 代码库 저장소 레포
commit: commits validation einchecken коммит コミット 提交 커밋
branch: zweig zweige branche rama ramas ramo tak galaz gren ветка ветку dal ブランチ 分支 브랜치
changes diff: anderungen anderung modifications changements cambios modifiche modificacoes mudancas alteracoes wijzigingen zmiany andringar изменения degisiklik 変更点 差分 変更内容 更改内容 差异 改动 变化 변경사항 차이
changed modified: geandert verandert modifie modifies cambiado modificado modificati gewijzigd zmieniono zmienione изменено degisti 変わった 変更された 变了 바뀐
history log: verlauf historie chronik historique historial historico cronologia geschiedenis historia история gecmis 履歴 历史 歷史 记录 이력 기록
issue: problem probleme vorgang ticket incidencia incidencias problema problemi segnalazione chamado zgloszenie задача проблема проблему sorun 課題 問題 イシュー 问题 议题 이슈 문제
pull request: zusammenfuhrungsanfrage プルリクエスト プルリク 拉取请求 合并请求 풀리퀘스트
bug error: fehler erreur erreurs errores fallo errore errori erro erros fout fouten blad bledy bledow fel ошибка ошибки ошибку hata エラー バグ 错误 錯誤 报错 故障 异常 오류 에러 버그
comment: kommentar kommentare commentaire commentaires comentario comentarios commento commenti opmerking reactie komentarz kommentarer комментарий yorum コメント 评论 댓글
user: benutzer nutzer utilisateur utilisateurs usuario usuarios utente utenti gebruiker gebruikers uzytkownik uzytkownicy anvandare пользователь пользователи kullanici ユーザー 用户 用戶 使用者 사용자
team: mannschaft equipe equipo squadra zespol команда takim チーム 团队 團隊 팀
project: projekt projekte projet proyecto proyectos progetto progetti projeto projetos проект проекты proje プロジェクト 项目 專案 프로젝트
task: aufgabe aufgaben tache tarea tareas compito tarefa tarefas taak taken zadanie uppgift задание gorev タスク 任务 任務 작업
database: banco bancos bancodedados datenbank datenbanken donnees basededatos datos dados databank baza bazy danych databas база базу базе данных veritabani データベース 数据库 資料庫 데이터베이스 디비
data: daten donnee dato dati gegevens dane данные veri データ 数据 資料 데이터
table: tabelle tabellen tableau tableaux tabla tablas tabella tabela tabelas tabel tabele tabell таблица таблицу таблицы tablo テーブル 表 表格 数据表 테이블
column: spalte spalten colonne colonnes columna columnas coluna kolom kolumna kolumny столбец sutun 列 カラム 字段 컬럼 열
query: abfrage abfragen requete requetes consulta consultas interrogazione zapytanie запрос sorgu クエリ 查询 쿼리 질의
collection: sammlung sammlungen collection coleccion collezione colecao verzameling kolekcja коллекция koleksiyon コレクション 集合 컬렉션
record document: datensatz datensatze dokument dokumente enregistrement document documents documento documentos documenti registro registros documenten dokumenty записи документ belge ドキュメント 文書 レコード 文档 文件档 문서
index: indizes indice indices indeks индекс dizin インデックス 索引 인덱스
documentation: dokumentation documentation documentacion documentazione documentacao documentatie dokumentacja dokumentacje документация документацию dokumantasyon ドキュメント 文档 文檔 说明书 문서
library: bibliothek bibliotheque biblioteca libreria bibliotheek biblioteka biblioteki библиотека kutuphane ライブラリ 库 函数库 라이브러리
code: quellcode quelltext codigo codice kod код コード 代码 程式碼 코드
server: serveur servidor serwer сервер sunucu サーバー サーバ 服务器 伺服器 서버
cluster: grappe кластер kume クラスタ クラスター 集群 叢集 클러스터
pods: пода поды ポッド 容器组 파드
container: conteneur contenedor contenitore kontener контейнер konteyner コンテナ 容器 컨테이너
logs: registros registro protokoll protokolle journaux registros registri logi логи журнал gunluk ログ 日志 日誌 로그
namespace: namensraum espace espacio spazio przestrzen 名前空間 命名空间 네임스페이스
node: knoten noeud nodo wezel узел dugum ノード 节点 노드
process: prozess prozesse processus proceso procesos processo processos processi proces processen procesy процесс процессы surec プロセス 进程 行程 프로세스
command: befehl befehle commande comando comandos opdracht polecenie kommando команда команду komut コマンド 命令 指令 명령
chart: diagramm grafik graph graphique diagramme grafico graficos grafiek wykres diagram график диаграмму диаграмма グラフ チャート 図表 图表 圖表 图 차트 그래프
pie chart: kreisdiagramm tortendiagramm camembert circulaire tarta torta cirkeldiagram kolowy круговую 円グラフ 饼图 圓餅圖 원형
bar chart: balkendiagramm saulendiagramm barres barras barre staafdiagram slupkowy столбчатую cubuk 棒グラフ 柱状图 条形图 막대
line chart: liniendiagramm courbe lineas linee linhas lijndiagram liniowy линейный 折れ線 折线图 꺾은선
map route: karte landkarte carte mapa mappa kaart карта karta harita 地図 地图 地圖 지도
route: strecke itineraire ruta percorso rota trasa маршрут 経路 路线 경로
mind map: gedankenkarte マインドマップ 思维导图 마인드맵
flowchart: flussdiagramm ablaufdiagramm organigramme diagramaflujo フローチャート 流程图 순서도
memory knowledge: gedachtnis wissen memoire memoria connaissance conocimiento conoscenza conhecimento geheugen kennis pamiec wiedza память знания hafiza 記憶 知識 メモリ 记忆 知识 기억 지식
graph: graphe grafo graf граф グラフ 图谱 그래프
relation: beziehung beziehungen relacion relaciones relazione relazioni relacao relatie relacje связи отношения iliski 関係 关系 關係 관계
entity: entitat entitaten entite entites entidad entidades entita entidade entiteit encja сущность エンティティ 实体 엔티티
note page: notiz notizen note notes nota notas appunto appunti notitie notatka notatke заметка заметку ノート メモ 笔记 筆記 노트 메모
message: nachricht nachrichten message mensaje mensajes messaggio mensagem bericht wiadomosc meddelande сообщение mesaj メッセージ 消息 訊息 메시지
email: correo courriel posta почта письмо メール 邮件 郵件 이메일 메일
time: zeit uhrzeit uhr spat heure hora tiempo ora tempo tijd czas godzina godzine tid время часов saat zaman 時間 時刻 何時 时间 几点 시간 몇시
current: aktuelle aktueller aktuell actuel actuelle actual attuale atual huidige aktualny aktualna obecna текущий текущее 現在 当前 目前 현재
date: datum fecha дата tarih 日付 日期 날짜
settings configuration: einstellungen konfiguration parametres reglages configuracion ajustes impostazioni configurazione configuracao instellingen ustawienia konfiguracja installningar настройки ayarlar 設定 设置 配置 设定 설정
version: fassung wersja версия surum バージョン 版本 버전
release: veroffentlichung version publicacion rilascio wydanie релиз リリース 发布 릴리스
component: komponente komponenten composant composants componente componentes componenti onderdeel komponent компонент bilesen コンポーネント 组件 元件 컴포넌트
template: vorlage vorlagen modele plantilla plantillas modello modelo sjabloon szablon шаблон sablon テンプレート 模板 範本 템플릿
workflow: arbeitsablauf arbeitsablaufe flux flujo flusso fluxo werkstroom przeplyw ワークフロー 工作流 워크플로
search web: websuche
news: nachrichtenlage nouvelles actualites noticias notizie nieuws wiadomosci новости haberler ニュース 新闻 新聞 뉴스
research: recherchieren investigacion ricerche onderzoek badania исследование arastirma 調査 调研 研究 조사
article: artikel articulo articolo artigo artykul статья makale 記事 文章 기사
design: entwurf gestaltung conception diseno progettazione ontwerp projektgrafik дизайн tasarim デザイン 设计 設計 디자인
performance: leistung geschwindigkeit rendimiento prestazioni desempenho prestaties wydajnosc производительность performans パフォーマンス 性能 速度 성능
network requests: netzwerk netzwerkanfragen reseau netwerk siec sieciowe сеть сетевые ag ネットワーク 网络请求 网络 네트워크
storage: speicher speicherplatz stockage almacenamiento archiviazione armazenamento opslag pamieci хранилище depolama ストレージ 存储 儲存空間 저장공간 스토리지
secret: geheimnis geheimnisse passwort mot passe contrasena secreto segreto segredo senha geheim wachtwoord haslo секрет пароль sifre 秘密 パスワード 密钥 密码 비밀 비밀번호
key: schlussel cle clave chiave chave sleutel klucz ключ anahtar キー 键 钥 키
subscription: abonnement abonnements suscripcion sottoscrizione abbonamento assinatura subskrypcja подписка abonelik サブスクリプション 订阅 訂閱 구독
resource: ressource ressourcen recurso recursos risorsa risorse zasob zasoby ресурс kaynak リソース 资源 資源 리소스
cost: kosten couts cout costo costos costi custo custos koszty koszt стоимость maliyet 費用 料金 コスト 费用 成本 비용
cloud: wolke nuage nube nuvem chmura облако bulut クラウド 云 雲端 클라우드
size: grosse taille tamano dimensione tamanho grootte rozmiar storlek размер boyut サイズ 大小 크기
permission role: berechtigung berechtigungen rechte permiso permisos permessi permissoes rechten uprawnienia права разрешения izin 権限 权限 權限 권한
status: zustand etat estado stato stan статус состояние durum ステータス 状態 状态 狀態 상태
health: gesundheit sante salud salute zdrowie здоровье saglik 健康
test: prueba teste тест テスト 测试 測試 테스트
number: zahl zahlen anzahl nombre nombres numero numeros numeri nummer getal liczba liczby число числа sayi 数 数字 數字 숫자
sum add: summe addiere addieren somme additionne suma sumar somma sommare somar some dodac сложи topla 合計 足し算 求和 相加 더하
account: konto compte cuenta conto conta konta аккаунт hesap アカウント 账户 帳戶 계정
person: mensch personne persona pessoa persoon osoba человек kisi 人物 人
organization: unternehmen firma entreprise empresa azienda bedrijf организация компания sirket 組織 会社 组织 公司 조직 회사
employee: mitarbeiter employes empleados dipendenti funcionarios werknemers pracownicy сотрудники calisan 社員 员工 직원
sales: umsatz verkaufe ventes ventas vendite vendas verkoop sprzedaz продажи satis 売上 销售 销售额 매출 판매
month: monat monate mois mes meses mese mesi maand miesiac месяц ay 月 月份 월
all: alle tous todos tutti todas alles wszystkie все tum すべて 全て 所有 全部 모든
new: neu neue neuen neues nouveau nouvelle nuevo nueva nuovo nuova novo nova nieuw nieuwe nowy nowa nowe ny nytt новый новую новое yeni 新しい 新 새 새로운
latest: neueste neuesten letzte letzten dernier derniers derniere ultimo ultimos ultima ultimi laatste ostatni ostatnie ostatnich senaste последние последний son 最新 最近 최근 최신
word cloud: wortwolke nuage nubedepalabras woordwolk ワードクラウド 词云 워드클라우드
`
